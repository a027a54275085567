/**
 * Answers each message of the parent process with what `carryOut` resolves to, or with its fault. Says that it is ready,
 * and ends with its parent.
 */
export function answerParent<Order>(carryOut: (order: Order) => Promise<object>): void {
  process.on('message', (order: Order) => {
    carryOut(order).then(
      (report) => process.send?.(report),
      (error: unknown) => process.send?.({ fault: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}
