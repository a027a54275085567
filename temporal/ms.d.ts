/**
 * Types of the `ms` package, which do not resolve under `nodenext`. Without them Temporal's `Duration`
 * is `any`, and a misspelt duration such as `'3 dayz'` compiles.
 */
declare module 'ms' {
  type Unit = 'ms' | 's' | 'm' | 'h' | 'd' | 'w';
  type LongUnit =
    | 'millisecond'
    | 'second'
    | 'minute'
    | 'hour'
    | 'day'
    | 'week'
    | `${'millisecond' | 'second' | 'minute' | 'hour' | 'day' | 'week'}s`;
  export type StringValue = `${number}` | `${number}${Unit}` | `${number} ${Unit | LongUnit}`;
  export default function ms(value: StringValue): number;
}
