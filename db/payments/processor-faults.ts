/**
 * Returns, as SQL, the fault that a row keeps. A call that was refused does not replace the fault of an earlier call, which
 * may have moved money.
 */
export function keptFault(fault: `$${number}`): string {
  return `case when ${fault}::text = 'processor_unavailable' then coalesce(processor_fault, ${fault}) else ${fault} end`;
}
