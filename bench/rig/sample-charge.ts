/** The body of every charge of a load. */
export const sampleCharge = {
  amount: 1_999,
  currency: 'EUR',
  payment_method: 'tok_visa',
  description: 'Order 6735',
  metadata: { order: '6735' },
};
