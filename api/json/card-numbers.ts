import { hasCardNumber } from '#domain/cards/card-numbers.ts';
import { isCardWord, isSurelyCard, toWords } from '#domain/cards/card-signs.ts';
import { ProblemError, type ValidationFault } from '#domain/problems.ts';
import { InexactNumber, isObject, toPointer } from './json.ts';

/**
 * Finds cards in bodies, before anything else reads them. Besides what a text itself shows (`domain/cards/card-signs.ts`), the
 * names of members do: `card_number` beside any digits of that length, `number` and a security code inside of a card or
 * beside its expiry. A name that means other things as well, such as `number` or `cid` in metadata, says nothing alone.
 */

/** Names of card numbers, without separators: any digits of that length are one. */
const numberNames = new Set(
  'cardnumber cardnum cardno cardnr ccnumber ccnum ccno creditcard creditcardnumber debitcardnumber pan cardpan primaryaccountnumber'.split(
    ' ',
  ),
);

/** Names that mean a card number inside of a card. */
const innerNumberNames = new Set(['number', 'num', 'no', 'nr', 'digits', 'value']);

const codeNames = new Set('cvc cvv cvc2 cvv2 csc securitycode'.split(' '));
const innerCodeNames = new Set([...codeNames, 'cid']);

const expiryNames = new Set(
  'expmonth expyear expirymonth expiryyear expirationmonth expirationyear'.split(' '),
);

/** Members that take a token, in which people send a card. */
const sourceNames = new Set(['paymentmethod', 'token', 'source']);

/** A body may have so many faults that its answer would be as large. */
const maxFaults = 100;

/** @throws {ProblemError} `card_number_refused`, which repeats nothing of the body but the names of its members. */
export function refuseCardNumbers(body: unknown): void {
  const errors = findCardNumbers(body);
  if (errors.length > 0) throw new ProblemError('card_number_refused', { extras: { errors } });
}

/** Returns a fault for each member that surely holds a card, at most 100. No pointer shows a card number. */
export function findCardNumbers(body: unknown): ValidationFault[] {
  const faults: ValidationFault[] = [];
  walk(body, { path: [], name: '', isInCard: false, isBeside: false }, faults);
  return faults;
}

type Path = readonly (string | number)[];

/** Where a value stands. */
interface Place {
  path: Path;
  /** Of its member, or of the array around it. */
  name: string;
  /** Whether something around it is named after a card. */
  isInCard: boolean;
  /** Whether a member beside it belongs to a card. */
  isBeside: boolean;
}

function walk(value: unknown, place: Place, faults: ValidationFault[]): void {
  const { path, name, isInCard } = place;
  if (faults.length >= maxFaults) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, { ...place, path: [...path, index] }, faults));
  } else if (isObject(value)) {
    const names = Object.keys(value);
    const isCard = isInCard || isNamedAfterCard(name);
    const signs = names.filter(belongsToCard);
    for (const member of names) {
      const isBeside = signs.some((sign) => sign !== member);
      const below = { path: [...path, member], name: member, isInCard: isCard, isBeside };
      if (isSurelyCard(member)) faults.push(toFault(path));
      else walk(value[member], below, faults);
    }
  } else if (holdsCard(digitsText(value), place)) faults.push(toFault(path));
}

function holdsCard(text: string, { name, isInCard, isBeside }: Place): boolean {
  if (text.length < 12)
    return /^ ?\d{3,4} ?$/.test(text) && isCode(toPlain(name), name, isInCard || isBeside);
  const plainName = toPlain(name);
  const isNumber = numberNames.has(plainName) || (isInCard && innerNumberNames.has(plainName));
  if (isNumber && /^\d{12,19}$/.test(text.replace(/[\s-]/g, ''))) return true;
  if (!hasCardNumber(text) && !text.includes('^')) return false;
  const isNamed = isInCard || isNamedAfterCard(name) || sourceNames.has(plainName);
  return isSurelyCard(text, isNamed || (isBeside && innerNumberNames.has(plainName)));
}

/** Whether three or four digits of this name are a security code. */
function isCode(plainName: string, name: string, isInCard: boolean): boolean {
  if (isInCard) return innerCodeNames.has(plainName);
  return (
    [...codeNames].some((code) => plainName.endsWith(code) && plainName !== code) && isNamedAfterCard(name)
  );
}

/** Whether an object with this member is a card, whatever its own name is. */
function belongsToCard(name: string): boolean {
  // A quick look first: most names are no such names.
  if (!/c[sv]|security|^exp/i.test(name)) return false;
  const plainName = toPlain(name);
  return codeNames.has(plainName) || expiryNames.has(plainName);
}

function isNamedAfterCard(name: string): boolean {
  return numberNames.has(toPlain(name)) || toWords(name).some(isCardWord);
}

const toPlain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function toFault(path: Path): ValidationFault {
  const shown = path.findIndex((step) => typeof step === 'string' && hasCardNumber(step));
  return {
    pointer: toPointer(shown === -1 ? path : path.slice(0, shown)),
    code: 'card_number',
    detail: 'holds the number or the code of a card: send a token of the processor',
  };
}

function digitsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof InexactNumber) return value.text;
  return typeof value === 'number' ? String(value) : '';
}
