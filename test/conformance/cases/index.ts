import type { ConformanceCase } from '../case.ts';
import { actionCases } from './actions.ts';
import { bookCases } from './books.ts';
import { captureCases } from './captures.ts';
import { chargeCases } from './charges.ts';
import { faultCases } from './faults.ts';
import { lostChargeCases } from './lost-charges.ts';
import { lostMoneyCases } from './lost-money.ts';
import { refundCases } from './refunds.ts';
import { requestCases } from './requests.ts';
import { voidCases } from './voids.ts';

/** Every promise of the port, in the order of the table. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...chargeCases,
  ...captureCases,
  ...voidCases,
  ...refundCases,
  ...actionCases,
  ...lostChargeCases,
  ...lostMoneyCases,
  ...faultCases,
  ...bookCases,
  ...requestCases,
];
