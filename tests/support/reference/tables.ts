import { readFile } from 'node:fs/promises'
import { DATA_FIELDS, KINDS } from '#plugin-kit/kinds'
import type { CommandClass } from '#foundation/api/module'
import { modules } from '#start/modules'
import { settings } from '#start/settings'
import { allProblems } from '#foundation/core/problems/catalog'
import { titleOf } from '../plugin_kit_reference.js'
import { FIELDS } from './configuration_fields.js'

/*
 * The tables of docs/reference that come from the code, each between two marks of its page.
 */

const FOLDER = new URL('../../../docs/reference/', import.meta.url)

type Row = readonly string[]

/** The name of each table, its page and the function that generates it. */
const TABLES: readonly (readonly [name: string, page: string, make: () => Promise<string>])[] = [
  ['keys', 'configuration-file', async () => table(['Key', 'Value', 'What'], keys())],
  ['kinds', 'configuration-file', async () => table(['Kind', '`data`'], kinds())],
  ['events', 'events', async () => table(['Event', 'Sent when', 'Platforms'], events())],
  ['problems', 'problems', async () => table(['Code', 'Status', 'What'], problems())],
  ['commands', 'commands', commands],
  [
    'settings',
    'settings',
    async () => table(['Variable', 'Default', 'What'], Object.entries(settings).map(setting)),
  ],
]

/** Returns the text of each page with its tables regenerated, by the name of the page. */
export async function referencePages(): Promise<ReadonlyMap<string, { at: URL; text: string }>> {
  const pages = new Map<string, { at: URL; text: string }>()
  for (const [name, page, make] of TABLES) {
    const at = new URL(`${page}.md`, FOLDER)
    const before = pages.get(page)?.text ?? (await readFile(at, 'utf8'))
    const marks = new RegExp(
      `(<!-- generated ${name} -->\n)[^]*?(<!-- end of generated ${name} -->)`
    )
    if (!marks.test(before)) throw new Error(`${page}.md has no place for ${name}`)
    const written = await make()
    pages.set(page, {
      at,
      text: before.replace(marks, (_, from, to) => `${from}\n${written}\n\n${to}`),
    })
  }
  return pages
}

/** Returns a table without padding, as one long cell would widen every row. */
const table = (head: Row, rows: readonly Row[]) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** Makes links relative: texts in the code name pages from the root, a page from its own folder. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('](docs/', '](../')
const code = (text: string) => `\`${text}\``

const keys = () => FIELDS.map(([path, holds, about]): Row => [code(path), holds, about])

const kinds = () =>
  KINDS.map((kind): Row => {
    const fields = Object.entries(DATA_FIELDS[kind]).map(([name, holds]) =>
      holds === 'text' ? code(name) : `${code(name)} (${holds})`
    )
    return [`[${titleOf(kind)}](plugin-kit/${kind}.md)`, fields.join(', ')]
  })

const events = () =>
  modules
    .flatMap((module) => module.events ?? [])
    .map(({ type, description, platforms }): Row => [
      code(type),
      description,
      platforms === 'unspecified' ? '–' : platforms,
    ])

/**
 * The routes, which declare the problems of modules, are not loaded when the tables are
 * written.
 */
const problems = () =>
  [
    ...new Map([
      ...allProblems(),
      ...modules.flatMap((module) => Object.entries(module.problems ?? {})),
    ]),
  ].map(([name, [status, title, help]]): Row => [code(name), String(status), `${title}. ${help}`])

const setting = ([name, { usual, about }]: [string, (typeof settings)[keyof typeof settings]]) => [
  code(name),
  usual,
  about,
]

async function commands(): Promise<string> {
  const loaded = await Promise.all(modules.map((module) => module.commands?.()))
  const all = loaded.flatMap((each) => each?.commands ?? []).map((each) => each.serialize())
  all.sort((one, other) => (one.commandName < other.commandName ? -1 : 1))
  return all.map(section).join('\n\n')
}

type Command = ReturnType<CommandClass['serialize']>

/** Options that every command has, or that most have and the page explains once. */
const COMMON = ['json', 'help', 'org']

/** Returns the section of a command: its usage, its description and its options. */
function section({ commandName, description, help, args, flags }: Command): string {
  const given = args.map(({ argumentName, required }) =>
    required ? `<${argumentName}>` : `[${argumentName}]`
  )
  const options = flags.map(({ flagName, name, type, required, description: about }) => ({
    name,
    required,
    about,
    written: `--${flagName}${type === 'boolean' ? '' : '=…'}`,
  }))
  const needed = options.filter(({ required }) => required).map(({ written }) => written)
  const about = [`${description}.`, ...[help || []].flat()].join(' ')
  const rows = options
    .filter(({ name }) => !COMMON.includes(name))
    .map((option): Row => [code(option.written), option.about ?? ''])
  return [
    `## ${commandName}`,
    code(['node ace.js', commandName, ...given, ...needed].join(' ')),
    about,
    ...(rows.length > 0 ? [table(['Option', 'What'], rows)] : []),
  ].join('\n\n')
}
