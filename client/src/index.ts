export { Payments } from './payments.ts';
export { AnswerHeaders, type RateLimit } from './answer-headers.ts';
export type { Answer, CallOptions, CallPromise, ConditionalOptions, RequestOptions } from './calls.ts';
export type { Body, OperationName, Query, Result, Schemas } from './document.ts';
export { Download, type PartOptions, type ResultPart } from './downloads.ts';
export {
  AuthenticationError,
  CardDeclinedError,
  ConflictError,
  ConnectionError,
  DownloadError,
  InvalidRequestError,
  NotFoundError,
  PaymentsError,
  PermissionError,
  ProblemError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  TokenError,
  WebhookSignatureError,
  type Problem,
} from './errors.ts';
export { List, type Page } from './lists.ts';
export type { ClientOptions, ReceivedAnswer, SentRequest } from './options.ts';
export { standardBackoff, type Backoff } from './retries.ts';
export { apiVersion } from './api-version.ts';
export type { components, operations, paths } from './schema.ts';
export type * from './types.ts';
export type { WaitOptions } from './waiting.ts';
export { Webhooks, type ReceivedHeaders, type UnwrapOptions } from './webhooks.ts';
