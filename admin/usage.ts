import type { Command } from './command.ts';

const head = `Usage: npm run admin -- COMMAND [options]

Manages accounts, their clients, and the keys that sign tokens. Works on DATABASE_URL, or else on the local stack that
runs in LOCAL_DIR (.local).
`;

const tail = `Every command has --help, and --json for programs. Commands that change something take --by NAME: who does it, for the
audit. (Default: ADMIN_BY, or the user of the system)`;

/** Returns the list of all commands. */
export function usage(commands: readonly Command[]): string {
  const lines = commands.map((command) => [synopsis(command), command.summary] as const);
  const width = Math.max(...lines.map(([name]) => name.length));
  const list = lines.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
  return `${head}\n${list}\n\n${tail}\n`;
}

const byOption = {
  value: 'NAME',
  help: 'who does this, for the audit (ADMIN_BY, or the user of the system)',
};

/** Returns the operands and options of one command. */
export function formatCommandUsage(command: Command): string {
  const given = { ...command.options, ...(!command.isRead && { by: byOption }) };
  const options = Object.entries(given).map(
    ([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const,
  );
  const width = Math.max(0, ...options.map(([name]) => name.length));
  const list = options.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`);
  const lines = [
    `Usage: npm run admin -- ${synopsis(command)}${options.length > 0 ? ' [options]' : ''}`,
    '',
    command.summary,
    ...(list.length > 0 ? ['', ...list] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function synopsis({ name, operands = [] }: Command): string {
  return [name, ...operands].join(' ');
}
