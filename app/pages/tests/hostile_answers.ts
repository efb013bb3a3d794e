import type { TSchema } from '@sinclair/typebox'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { render, type Rendered } from '#foundation/api/execution/render'
import { executor } from '#foundation/api/services'
import { builtSchema } from '#foundation/core/schemas'

/*
 * Answers of operations with a text of the tester's choice in each place for text: a page that
 * reads them shows that text wherever it shows a text of somebody else.
 */

/** Makes a text that contains a mark. */
export type Text = (mark: string) => string

type Schema = Readonly<Record<string, any>>

/** Where a value is: its path in an answer, the item that it belongs to, and its depth. */
interface Place {
  path: string
  seed: number
  depth: number
}

/** Deeper places stay empty: models that contain themselves have no end. */
const MAX_DEPTH = 10

/** The most items that an empty list is given: one of each kind, and one alone in deeper places. */
const MAX_ITEMS = 40
const SHALLOW = 3

/**
 * Members with words of the service itself, which pages only compare or put into addresses: ids, and
 * the keywords of a plugin's schemas.
 */
const OWN = /(\.id|Ids?|Token)$|Schema\b.*\.(type|format|pattern|required)$/

const NOW = '2026-11-20T12:00:00.000Z'
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': NOW,
  'date': NOW.slice(0, 10),
}

const isNothing = (value: unknown) => value === null || value === undefined
const isNull = (schema: Schema) => schema.type === 'null'

/** Returns whether a value could be of a schema, judged by its type and its closed words. */
function fits(schema: Schema, value: any): boolean {
  const built = builtSchema(schema) as Schema | null
  if (built) return fits(built, value)
  if ('const' in schema) return schema.const === value
  if (schema.enum) return schema.enum.includes(value)
  if (schema.anyOf) return schema.anyOf.some((each: Schema) => fits(each, value))
  if (schema.allOf) return schema.allOf.every((each: Schema) => fits(each, value))
  if (schema.type === 'array') return Array.isArray(value)
  if (schema.type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const required: string[] = schema.required ?? []
    return required.every((name) => fits(schema.properties?.[name] ?? {}, value[name]))
  }
  if (schema.type === 'integer') return typeof value === 'number'
  return schema.type === undefined || typeof value === schema.type
}

/** Returns how many kinds of items a list may have, by their closed words. */
function kindsOf(schema: Schema): number {
  const built = builtSchema(schema) as Schema | null
  if (built) return kindsOf(built)
  if (schema.enum) return schema.enum.length
  const parts: Schema[] = schema.anyOf ?? schema.allOf ?? []
  const members: Schema[] = Object.values(schema.properties ?? {})
  const words = members.map((each) => each.enum?.length ?? 1)
  return Math.min(MAX_ITEMS, Math.max(1, parts.length, ...parts.map(kindsOf), ...words))
}

/** Fills the places of a value: each text is replaced, and what is missing is made. */
class Filling {
  constructor(readonly text: Text) {}

  fill(schema: Schema, value: any, place: Place): any {
    const built = builtSchema(schema) as Schema | null
    if (built) return this.fill(built, value, place)
    const { path, seed } = place
    // A reader of all pages of a list would never end.
    if (path.endsWith('.nextCursor')) return null
    if (isNothing(value) && path.endsWith('Schema')) return null
    if ('const' in schema) return schema.const
    if (schema.enum) return isNothing(value) ? schema.enum[seed % schema.enum.length] : value
    if (schema.anyOf) return this.#oneOf(schema.anyOf, value, place)
    if (schema.allOf) {
      const parts = schema.allOf.map((each: Schema) => this.fill(each, value, place))
      return Object.assign({}, value, ...parts)
    }
    switch (schema.type) {
      case 'object':
        return this.#object(schema, value, place)
      case 'array':
        return this.#list(schema, value, place)
      case 'string':
        return this.#string(schema, value, path)
      case 'integer':
      case 'number':
        return value ?? Math.max(schema.minimum ?? 0, Math.min(schema.maximum ?? 3, 3))
      case 'boolean':
        return value ?? seed % 2 === 0
      case 'null':
        return null
    }
    return this.#any(value, path)
  }

  #oneOf(options: readonly Schema[], value: any, place: Place) {
    if (!isNothing(value)) {
      const found = options.find((each) => fits(each, value))
      return found ? this.fill(found, value, place) : this.#any(value, place.path)
    }
    const some = options.filter((each) => !isNull(each))
    if (some.length === 0 || (place.depth > MAX_DEPTH && some.length < options.length)) return null
    return this.fill(some[place.seed % some.length], undefined, place)
  }

  #object(schema: Schema, value: any, place: Place) {
    const filled: Record<string, unknown> = { ...value }
    for (const [name, member] of Object.entries<Schema>(schema.properties ?? {})) {
      filled[name] = this.fill(member, value?.[name], this.#below(place, name))
    }
    const others = Object.keys(filled).filter((name) => !(name in (schema.properties ?? {})))
    for (const name of others) filled[name] = this.#any(filled[name], `${place.path}.${name}`)
    return filled
  }

  #list({ items, maxItems = MAX_ITEMS }: Schema, value: any[] | undefined, place: Place) {
    if (place.depth > MAX_DEPTH) return []
    const kinds = Math.min(maxItems, kindsOf(items ?? {}))
    const length = place.depth > SHALLOW ? Math.min(kinds, 1) : kinds
    const given: any[] = value?.length ? value : Array.from({ length })
    return given.map((each, index) =>
      this.fill(items ?? {}, each, { ...place, seed: place.seed + index, depth: place.depth + 1 })
    )
  }

  #string({ format, pattern }: Schema, value: string | undefined, path: string): string {
    if (format && format in FORMATS) return value ?? FORMATS[format]
    if (OWN.test(path)) return value ?? `own-${path.split('.').at(-1)}`
    if (pattern) return value ?? '1'
    return this.text(path)
  }

  /** Replaces every text in a value that no schema describes. */
  #any(value: any, path: string): any {
    if (isNothing(value)) return value
    if (typeof value === 'string') return OWN.test(path) ? value : this.text(path)
    if (Array.isArray(value)) return value.map((each) => this.#any(each, path))
    if (typeof value !== 'object') return value
    const members = Object.entries(value)
    return Object.fromEntries(
      members.map(([name, each]) => [name, this.#any(each, `${path}.${name}`)])
    )
  }

  #below = ({ path, seed, depth }: Place, name: string): Place => ({
    path: `${path}.${name}`,
    seed,
    depth: depth + 1,
  })
}

/** Fills an answer of an operation; YAML gets the text as a comment. */
function answered(operation: AnyOperation, found: Rendered | null, text: Text, seed: number) {
  const [status, { schema, contentType }] = Object.entries(operation.responses)[0]
  const type = found?.headers['content-type'] ?? contentType ?? ''
  if (type.includes('yaml')) {
    const bytes = `${found?.bytes.toString() ?? ''}# ${text(operation.id)}\n`
    return render({ status: Number(status), raw: { bytes, contentType: type } })
  }
  const value = found && (found.body ?? JSON.parse(found.bytes.toString()))
  const place = { path: operation.id, seed, depth: 0 }
  const body = new Filling(text).fill((schema ?? {}) as TSchema, value ?? undefined, place)
  return render({ status: Number(status), body })
}

/**
 * Lets every operation answer with texts while `work` runs. What a read cannot find, because it was
 * asked for something that only such an answer has, is made whole; a write is not carried out.
 */
export async function withHostileAnswers<Result>(
  text: Text,
  seed: number,
  work: () => Promise<Result>
): Promise<Result> {
  const { execute, executeOpen } = executor
  executor.execute = async (operation, principal, request) => {
    const found = isWrite(operation)
      ? null
      : await execute.call(executor, operation, principal, request).catch(() => null)
    return answered(operation, found, text, seed)
  }
  executor.executeOpen = async (operation, request) =>
    answered(operation, await executeOpen.call(executor, operation, request), text, seed)
  try {
    return await work()
  } finally {
    Object.assign(executor, { execute, executeOpen })
  }
}
