import { floors, folders, rooms } from '../lint/rooms.ts';

const [begin, end] = ['<!-- rooms: begin -->', '<!-- rooms: end -->'];

/** Returns the page with its picture and tables of the rooms as `test/lint/rooms.ts` has them. */
export function withRooms(page: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/architecture.md needs the lines ${begin} and ${end}`);
  return [
    before,
    begin,
    '\n\n',
    picture(),
    '\n\n',
    roomTable(),
    '\n\n',
    folderTable(),
    '\n\n',
    end,
    after,
  ].join('');
}

/** Draws the floors, with the rooms that stand beside each. */
function picture(): string {
  const lines = floors.map(({ room, does, beside }) =>
    `${room.padEnd(10)}  ${does.padEnd(48)}${beside.join(', ')}`.trimEnd(),
  );
  return ['```', ...lines, '```'].join('\n');
}

function roomTable(): string {
  const rows = Object.entries(rooms).map(
    ([name, { purpose, imports }]) => `| \`${name}/\` | ${purpose} | ${list(imports)} |`,
  );
  return ['| room | purpose | may import |', '|---|---|---|', ...rows].join('\n');
}

function folderTable(): string {
  const rows = Object.entries(folders).flatMap(([room, inside]) =>
    Object.entries(inside).map(([name, imports]) => {
      const paths = imports.map((other) => (other === '.' ? `${room}/*.ts` : `${room}/${other}`));
      return `| \`${room}/${name}/\` | ${list(paths)} |`;
    }),
  );
  return ['| folder | may import, of its own room |', '|---|---|', ...rows].join('\n');
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.map((name) => `\`${name}\``).join(', ');
}
