import { accessGuards } from './access-guards.mjs';
import { hubGuards } from './hub-guards.mjs';
import { paymentGuards } from './payment-guards.mjs';
import { recordGuards } from './record-guards.mjs';

export const allGuards = [...accessGuards, ...hubGuards, ...paymentGuards, ...recordGuards];
