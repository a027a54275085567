import type { AnyAction } from '../action.ts';
import type { Page } from '../page.ts';
import { auditPage } from './audit.tsx';
import { disableClient, enableClient, rotateClient } from './client-actions.tsx';
import { clientPage } from './client.tsx';
import { clientList } from './clients.tsx';
import { changeMember, disableMember, enableMember, newMember } from './member-actions.tsx';
import { memberPage } from './member.tsx';
import { memberList } from './members.tsx';
import { newClient } from './new-client.tsx';
import { endSession, sessionList } from './sessions.tsx';

export const accessPages: readonly Page[] = [
  clientList,
  clientPage,
  memberList,
  memberPage,
  sessionList,
  auditPage,
];

export const accessActions: readonly AnyAction[] = [
  newClient,
  rotateClient,
  disableClient,
  enableClient,
  newMember,
  changeMember,
  disableMember,
  enableMember,
  endSession,
];
