import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { closest } from 'fastest-levenshtein'
import { UsageError } from '#foundation/console/usage_error'
import type { Plugin } from '#plugin-kit/plugin'
import type { ObjectSchema, ValueSchema } from '#plugin-kit/schema'
import type { Credentials } from '../connections/credentials.js'
import { plugins } from '../plugins/plugin_registry.js'

/** Well above a service account's key file. */
const MAX_FILE_CHARACTERS = 65_536

/** The plugin of an id or alias. @throws UsageError that names those there are */
export function pluginOption(name: string): Plugin {
  const plugin = plugins.find(name)
  if (plugin) return plugin
  const known = plugins.all.map(({ manifest }) => manifest.id)
  if (known.length === 0) {
    throw new UsageError('No plugin runs; config/integrations.ts lists them, see provider:plugins.')
  }
  throw new UsageError(`There is no plugin "${name}". Did you mean ${closest(name, known)}?`)
}

/**
 * `key=value` pairs as the values that a schema asks for: lists with commas, numbers, true or
 * false. What does not fit stays text, for the check to refuse.
 * @throws UsageError, which repeats no value
 */
export function pairsOption(
  option: string,
  pairs: readonly string[],
  { properties }: ObjectSchema
): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--${option} takes key=value.`)
    const key = pair.slice(0, at)
    if (values.has(key)) throw new UsageError(`--${option} gives ${key} twice.`)
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    values.set(key, valueOf(pair.slice(at + 1), schema))
  }
  return Object.fromEntries(values)
}

function valueOf(given: string, schema: ValueSchema | undefined): unknown {
  if (schema?.type === 'integer' && /^-?\d{1,15}$/.test(given)) return Number(given)
  if (schema?.type === 'boolean' && /^(true|false)$/.test(given)) return given === 'true'
  if (schema?.type === 'array') return given.split(',').map((each) => each.trim())
  return given
}

interface CredentialOptions {
  pairs: readonly string[] | undefined
  /** A file with a JSON object; `-` is standard input. */
  file: string | undefined
}

/** Credentials of a file, of pairs, or of both together. @throws UsageError */
export async function credentialsOption(
  { pairs = [], file }: CredentialOptions,
  schema: ObjectSchema
): Promise<Credentials> {
  const fromFile = file === undefined ? {} : await readCredentials(file)
  return { ...fromFile, ...pairsOption('credential', pairs, schema) }
}

async function readCredentials(file: string): Promise<Record<string, unknown>> {
  const text = await (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(`${file} cannot be read (${error.code}).`)
    }
  )
  if (text.length > MAX_FILE_CHARACTERS) throw new UsageError(`${file} is too large.`)
  const document = parse(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new UsageError(`${file} has to hold one JSON object.`)
  }
  return document as Record<string, unknown>
}

/** Says nothing of what it read: a parser's own message quotes it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
