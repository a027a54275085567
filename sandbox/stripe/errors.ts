/** The error object of an answer, and the members that name objects. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: object;
  payment_method?: object;
}

export interface Answer {
  status: number;
  body: object;
}

/** A request that is refused, and changes nothing. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly status: number;
  readonly error: ErrorBody;
  constructor(status: number, error: ErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export function refusalAnswer(refusal: StripeRefusal): Answer {
  return { status: refusal.status, body: { error: refusal.error } };
}

/** A 400 about the request. */
export function invalidRequest(
  message: string,
  more: Pick<ErrorBody, 'code' | 'param' | 'payment_intent'> = {},
): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...more });
}

export function missingResource(what: string, id: string, param: string): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  return new StripeRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

export const serverError: Answer = {
  status: 500,
  body: { error: { type: 'api_error', message: 'An unknown error occurred.' } },
};

export const serviceUnavailable: Answer = {
  status: 503,
  body: { error: { type: 'api_error', message: 'The service is not available.' } },
};

export const rateLimited: Answer = {
  status: 429,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message:
        'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
    },
  },
};

export const locked: Answer = {
  status: 429,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message:
        'This object cannot be accessed right now because another API request or Stripe process is using it.',
    },
  },
};

export const keyInUse: Answer = {
  status: 409,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in-progress request using this Idempotent Key.',
    },
  },
};

export const keyOfAnother: Answer = {
  status: 400,
  body: {
    error: {
      type: 'idempotency_error',
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        'Try using another key if you meant to execute a different request.',
    },
  },
};

export const unauthorized: Answer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
};

export function unknownUrl(method: string, path: string): Answer {
  const message = `Unrecognized request URL (${method}: ${path}).`;
  return { status: 404, body: { error: { type: 'invalid_request_error', message } } };
}
