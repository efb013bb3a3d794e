import { readFile } from 'node:fs/promises'
import { text as readStream } from 'node:stream/consumers'
import { closest } from 'fastest-levenshtein'
import { UsageError } from '#foundation/console/usage_error'
import type { Plugin } from '#plugin-kit/plugin'
import type { ObjectSchema, ValueSchema } from '#plugin-kit/schema'
import type { Credentials } from '../connections/credentials.js'
import { plugins } from '../plugins/plugin_registry.js'

/** Maximum length of a file of credentials; a service account's key file is far shorter. */
const MAX_FILE_CHARACTERS = 65_536

/** Returns the plugin with an id or alias. @throws UsageError that suggests the closest one */
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
 * Parses `key=value` pairs by a schema: lists with commas, numbers, true or false. A value that
 * does not fit stays text, and is refused by the later check.
 * @throws UsageError, which repeats no value because it may be secret
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

/** Reads credentials from a file, from pairs, or from both. @throws UsageError */
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

/** Hides the parser's error, because its message quotes the text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
