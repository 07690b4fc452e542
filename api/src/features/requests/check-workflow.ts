import type { Call, Role } from '@diwan/contract/call';
import { acceptRequest, approveRequest, createRequest, receiveRequest, rejectRequest, releaseRequest, returnRequest, submittedRequest, updateRequest } from '@diwan/contract/requests';
import { workflow as workflowShape, type RequestAction, type Workflow, type WorkflowTransition } from '@diwan/contract/workflow';

/** A workflow document that cannot be used; the message is one line that says why. */
export class WorkflowError extends Error {
  constructor(reason: string) {
    super(`The workflow cannot be used: ${reason}`);
  }
}

const calls: Partial<Record<RequestAction, Call>> = {
  create: createRequest, update: updateRequest, receive: receiveRequest, approve: approveRequest, return: returnRequest,
  submitted: submittedRequest, accept: acceptRequest, reject: rejectRequest, release: releaseRequest,
};

function findRepeated(values: readonly (string | number)[]): string | number | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

// Nobody could ever use a cell that the call itself does not let through.
function checkWho({ action, who }: WorkflowTransition): void {
  if (action === 'pay') {
    if (who.some((role) => role !== 'payment')) throw new WorkflowError('pay is the word of the payment provider alone, so its who is ["payment"]');
    return;
  }
  const admitted = calls[action]?.who ?? [];
  const stranger = who.find((role) => role === 'payment' || !(admitted as readonly Role[]).includes(role));
  if (stranger) throw new WorkflowError(`${action} is not open to ${stranger}`);
}

// Two cells for one question would leave the answer to chance. `create` alone has two answers: `start` decides between them.
function checkNoRivals(transitions: readonly WorkflowTransition[]): void {
  const questions = transitions.flatMap(({ action, from, to, who }) => who.map((role) => `${action} from ${from ?? 'nothing'}${action === 'create' ? ` to ${to}` : ''} by ${role}`));
  const twice = findRepeated(questions);
  if (twice !== undefined) throw new WorkflowError(`two transitions answer for ${twice}`);
}

function checkReachable({ statuses, transitions, start }: Workflow): void {
  const reached = new Set([start.toPay, start.free]);
  for (const statusId of reached) for (const { from, to } of transitions) if (from === statusId) reached.add(to);
  const dead = statuses.find(({ statusId }) => !reached.has(statusId));
  if (dead) throw new WorkflowError(`no request can ever reach status ${dead.statusId} (${dead.key})`);
}

function checkStart({ transitions, start }: Workflow): void {
  for (const [name, statusId] of Object.entries(start)) {
    if (!transitions.some(({ action, to }) => action === 'create' && to === statusId)) throw new WorkflowError(`start.${name} is ${statusId}, and nothing creates a request in that status`);
  }
}

/** Reads a workflow document and holds it to its rules. Throws a `WorkflowError`. */
export function checkWorkflow(document: unknown): Workflow {
  const result = workflowShape.safeParse(document);
  if (!result.success) throw new WorkflowError(`${result.error.issues[0]?.path.join('.') || 'document'}: ${result.error.issues[0]?.message}`);
  const workflow = result.data;
  const ids = workflow.statuses.map(({ statusId }) => statusId);
  const twice = findRepeated(ids) ?? findRepeated(workflow.statuses.map(({ key }) => key));
  if (twice !== undefined) throw new WorkflowError(`two statuses are called ${twice}`);
  for (const transition of workflow.transitions) {
    const { action, from, to } = transition;
    const missing = [from, to].find((statusId) => statusId !== null && !ids.includes(statusId));
    if (missing !== undefined) throw new WorkflowError(`${action} goes from ${from ?? 'nothing'} to ${to}, and there is no status ${missing}`);
    if ((from === null) !== (action === 'create')) throw new WorkflowError(`${action} from ${from ?? 'nothing'}: create, and create alone, begins from nothing`);
    checkWho(transition);
  }
  checkNoRivals(workflow.transitions);
  for (const [name, statusId] of Object.entries(workflow.start)) if (!ids.includes(statusId)) throw new WorkflowError(`start.${name} is ${statusId}, and there is no such status`);
  checkStart(workflow);
  checkReachable(workflow);
  return workflow;
}

