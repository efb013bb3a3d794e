import { checkNewApp } from '#configuration/checks/check_configuration'
import type { CheckContext } from '#configuration/checks/context'
import { problemsOf, tree } from '../helpers.js'
import { CONTEXT, PROVIDERS } from './known.js'

/** Creates an organization of a given size, so that lookups by name are as costly as possible. */
export const organizationOf = (size: number): CheckContext => ({
  ...CONTEXT,
  providers: [
    ...PROVIDERS,
    ...numbered(size, (index) => ({
      ...PROVIDERS[0],
      id: `github:many${index}`,
      alias: `Many ${index}`,
    })),
  ],
  groups: numbered(size, (index) => `Group ${index}`),
  users: numbered(2 * size, (index) => ({
    email: `user${index}@acme.example`,
    name: `User ${index}`,
  })),
  followable: numbered(size, (index) => `acme-${index}`),
})

/** A list or map of a configuration file, derived from the messages of the checks. */
interface Place {
  path: string
  /** The known keys, if any. */
  keys?: string[]
  /** The kind and item type, if the author chooses the number of entries. */
  of?: { kind: 'list' | 'map'; item: Place | null }
  /** Returns a file that contains it, in flow style. */
  around: (inner: string) => string
}

const ROOT: Place['around'] = (inner) => inner
/** A value that is never valid. */
const BROKEN = '"\\u0001"'

/** A file with as many errors at one place as fit in a number of bytes. */
interface HostileFile {
  name: string
  text: string
}

/** Returns a file for every list and map, each as large as a number of bytes allows. */
export function hostileFiles(bytes: number): HostileFile[] {
  const files: HostileFile[] = []
  for (const place of places()) {
    const room = bytes - place.around('').length - 8
    const add = (what: string, inner: string) =>
      files.push({ name: `${place.path || 'the file'}: ${what}`, text: place.around(inner) })
    if (place.keys) {
      const { keys } = place
      add('unknown keys', `{${fill(room, unknownKey)}}`)
      add('misspelt keys', `{${fill(room, (index) => misspelt(keys, index))}}`)
      add('values of the wrong type', `{${keys.map((key) => `${key}: [[${BROKEN}]]`).join()}}`)
      continue
    }
    const { kind, item } = place.of!
    const write = kind === 'list' ? listOf : mapOf
    add('unknown members', write(room, unknownKey))
    add(
      'members of the wrong type',
      write(room, () => '[[]]')
    )
    if (kind === 'list')
      add(
        'the same again',
        listOf(room, () => 'user1@acme.example')
      )
    else add('misspelt keys', `{${fill(room, (index) => `Gruop ${index}: admni`)}}`)
    for (const most of [10, 100]) {
      const each = Math.floor(room / most) - 16
      if (each < 16 || !item?.keys) continue
      const { keys } = item
      const few = Math.floor(MAX_NODES / most) - 2
      const unknown = `{${fill(each, unknownKey, few)}}`
      const near = `{${fill(each, (index) => misspelt(keys, index), few)}}`
      add(
        `${most} with unknown keys`,
        write(room, () => unknown, most)
      )
      add(
        `${most} with misspelt keys`,
        write(room, () => near, most)
      )
    }
  }
  return files
}

let found: Place[] | undefined

function places(): Place[] {
  return (found ??= [...below({ path: '', around: ROOT }), ...data()])
}

/** Returns the places in the data of integrations, which depend on their type. */
function data(): Place[] {
  const types = new Map(PROVIDERS.map(({ types: [{ type, kind }] }) => [kind, type]))
  return [...types.values()].flatMap((type) => {
    const around: Place['around'] = (inner) =>
      `{integrations: {x: {type: ${type}, data: ${inner}}}}`
    const inside = below({ path: 'integrations.x.data', around })
    return inside.map((place) => ({ ...place, path: `${place.path} of ${type}` }))
  })
}

/** Returns a place and all places within it. */
function below({ path, around }: Pick<Place, 'path' | 'around'>): Place[] {
  const wanted = wantedAt(path, around)
  if (wanted === undefined) return []
  const within = (step: string, write: Place['around']) =>
    below({ path: path + step, around: (inner) => around(write(inner)) })
  const [, keys] = /^Has to be a map with (.+), not /.exec(wanted) ?? []
  if (keys) {
    const names = keys.split(/, | or /)
    const inside = names.flatMap((name) =>
      within(path === '' ? name : `.${name}`, (inner) => `{${name}: ${inner}}`)
    )
    return [{ path, around, keys: names }, ...inside]
  }
  const kind = /^Has to be a map from /.test(wanted) ? 'map' : 'list'
  if (kind === 'list' && !/^Has to be a list of /.test(wanted)) return []
  const inside = within(kind === 'list' ? '[0]' : '.x', (inner) =>
    kind === 'list' ? `[${inner}]` : `{x: ${inner}}`
  )
  return [{ path, around, of: { kind, item: inside[0] ?? null } }, ...inside]
}

function wantedAt(path: string, around: Place['around']): string | undefined {
  const problems = problemsOf(checkNewApp(tree(around(BROKEN)), CONTEXT))
  return problems.find((each) => each.path === path && each.code === 'wrong_type')?.message
}

function numbered<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const unknownKey = (index: number) => `k${index.toString(36)}`

/** Returns one of the keys with one or two letters replaced, different for each index. */
function misspelt(keys: readonly string[], index: number): string {
  const key = keys[index % keys.length]
  const turn = Math.floor(index / keys.length)
  const letter = (one: number) => String.fromCharCode(97 + (one % 26))
  const first = Math.floor(turn / 26) % key.length
  const second = (first + 1 + Math.floor(turn / (26 * key.length))) % key.length
  const letters = [...key]
  letters[first] = letter(turn)
  if (turn >= 26 * key.length) letters[second] = letter(Math.floor(turn / 7))
  const word = letters.join('')
  return keys.includes(word) ? `${word}z${index}` : word
}

/** Returns as many unique members as fit. */
function fill(room: number, member: (index: number) => string, most = MAX_NODES): string {
  const members = new Set<string>()
  let size = 0
  for (let index = 0; members.size < most && index < 2 * MAX_NODES; index++) {
    const next = member(index)
    if (members.has(next)) continue
    size += next.length + 1
    if (size > room) break
    members.add(next)
  }
  return [...members].join()
}

/** A file may contain at most 20,000 values. */
const MAX_NODES = 19_900

const listOf = (room: number, item: (index: number) => string, most = 2000) =>
  `[${upTo(room, most, item)}]`

const mapOf = (room: number, value: (index: number) => string, most = 1000) =>
  `{${upTo(room, most, (index) => `n${index}: ${value(index)}`)}}`

function upTo(room: number, most: number, member: (index: number) => string): string {
  const members: string[] = []
  let size = 0
  while (members.length < most) {
    const next = member(members.length)
    size += next.length + 1
    if (size > room) break
    members.push(next)
  }
  return members.join()
}
