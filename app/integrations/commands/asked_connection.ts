import { readFile } from 'node:fs/promises'
import type { BaseCommand } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import type { Plugin } from '#plugin-kit/plugin'
import type { ObjectSchema, ValueSchema } from '#plugin-kit/schema'
import { hasBrowser } from '../oauth/oauth_scheme.js'

type Prompt = BaseCommand['prompt']

/** The two ways to connect. */
const BROWSER = 'In a browser: the provider makes the key'
const BY_HAND = 'With credentials that you have'

/**
 * Longest secret that a person types, in characters; for a longer one, the path of its file is
 * asked for.
 */
const MAX_LINE_LENGTH = 1000

/** The answers of a person at a terminal, as `key=value` pairs. */
export interface EnteredConnection {
  settings: string[]
  credentials: string[]
}

/**
 * Asks a person at a terminal for the settings and credentials of a connection. Optional ones may
 * be left empty.
 * @returns null if the person prefers the browser
 */
export async function askForConnection(
  prompt: Prompt,
  plugin: Plugin
): Promise<EnteredConnection | null> {
  const { manifest } = plugin
  if (hasBrowser(plugin)) {
    const how = await prompt.choice(`How do you connect ${manifest.name}?`, [BROWSER, BY_HAND])
    if (how === BROWSER) return null
  }
  return {
    settings: await pairsOf(prompt, manifest.connectionSchema),
    credentials: await pairsOf(prompt, manifest.credentialSchema),
  }
}

async function pairsOf(prompt: Prompt, { properties, required = [] }: ObjectSchema) {
  const pairs: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const isRequired = required.includes(name)
    const value = await valueOf(prompt, name, schema, isRequired)
    if (value !== '') pairs.push(`${name}=${value}`)
  }
  return pairs
}

async function valueOf(prompt: Prompt, name: string, schema: ValueSchema, isRequired: boolean) {
  const title = `${schema.title ?? name}${isRequired ? '' : ' (may be empty)'}`
  const validate = (given: string) => given !== '' || !isRequired || 'It is required'
  if (isLongSecret(schema)) {
    const file = await prompt.ask(`${title}: path of its file`, { name, validate })
    return file === '' ? '' : contentOf(file)
  }
  if (schema['x-secret']) return (await prompt.secure(title, { name, validate })) ?? ''
  return (await prompt.ask(title, { name, validate })) ?? ''
}

const isLongSecret = (schema: ValueSchema) =>
  schema['x-secret'] === true &&
  schema.type === 'string' &&
  (schema.maxLength ?? 0) > MAX_LINE_LENGTH

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}
