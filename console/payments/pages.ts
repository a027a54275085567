import type { AnyAction } from '../action.ts';
import type { Handler } from '../handler.ts';
import type { Page } from '../page.ts';
import { cancelAction } from './cancel-action.tsx';
import { captureAction } from './capture-action.tsx';
import { chargeList } from './charge-list.tsx';
import { customerList } from './customer-list.tsx';
import { customer } from './customer.tsx';
import { exportAction } from './export-action.tsx';
import { payment } from './payment.tsx';
import { refundAction } from './refund-action.tsx';
import { refundList } from './refund-list.tsx';
import { refund } from './refund.tsx';
import { search } from './search.tsx';
import { undoAction } from './undo-action.tsx';

export const paymentPages: readonly Page[] = [
  chargeList,
  payment,
  refundList,
  refund,
  customerList,
  customer,
];

export const paymentActions: readonly AnyAction[] = [
  refundAction,
  captureAction,
  cancelAction,
  undoAction,
  exportAction,
];

export const paymentHandlers: readonly Handler[] = [search];
