/**
 * Anything may be asked of it and it answers with itself, so that the contract can be written down;
 * only running a schema fails.
 */
const schema: unknown = new Proxy(() => schema, {
  get(_target, name) {
    if (typeof name === 'string' && /parse/i.test(name))
      throw new Error(`Schemas do not run in the browser (${name}): decision 0008`);
    return schema;
  },
});

/**
 * Stands in for zod in the browser, which reads paths and types of the contract but runs no schema.
 * Put there by `vite.config.ts`; decision 0008.
 */
export const z = schema;
