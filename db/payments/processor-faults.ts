/**
 * Which fault of the processor a row keeps, as SQL: a call that was refused says nothing about one before it
 * that may have moved money, so it does not take that one's place.
 */
export function keptFault(fault: `$${number}`): string {
  return `case when ${fault}::text = 'processor_unavailable' then coalesce(processor_fault, ${fault}) else ${fault} end`;
}
