/** The calls of the port as a transport sees them. */
export type CallName =
  | 'token'
  | 'prepare'
  | 'authorize'
  | 'capture'
  | 'void'
  | 'refund'
  | 'find'
  | 'find_refund'
  | 'list'
  | 'other';
