/** All kinds of processors. A new one is a folder beside `sandbox/`, and a line here. */
export { sandboxKind } from './sandbox/kind.ts';
export { stripeKind } from './stripe/kind.ts';
