import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Slack publishes types of its API with its client. JSON Schemas are generated from them once and
 * kept, since that takes some seconds.
 */

const KEPT = '../../../../../node_modules/.cache/tarmac/slack-web-api-8.2.0.json'
const CACHE = fileURLToPath(new URL(KEPT, import.meta.url))

/** Schemas by the names of their types. */
export type Definitions = Record<string, object>

/** Returns the description of some types of the package, and of all that they refer to. */
export async function published(types: readonly string[]): Promise<Definitions> {
  const kept = existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as Definitions) : {}
  if (types.every((type) => Object.hasOwn(kept, type))) return kept
  const made = await make(types)
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify(made))
  return made
}

async function make(types: readonly string[]): Promise<Definitions> {
  const { createGenerator } = await import('ts-json-schema-generator')
  const path = createRequire(import.meta.url)
    .resolve('@slack/web-api')
    .replace(/js$/, 'd.ts')
  const generator = createGenerator({
    path,
    ...{ type: types[0], expose: 'all', topRef: true, skipTypeCheck: true },
    additionalProperties: false,
  })
  const definitions: Definitions = {}
  for (const type of types) {
    // Types of different files may share a name, so each root has its own.
    const made = JSON.stringify(generator.createSchema(type).definitions)
    const own = JSON.parse(
      made.replaceAll('#/definitions/', `#/definitions/${type}/definitions/`)
    ) as Definitions
    // The metadata of messages is the app's own; the types list what Slack has seen there.
    for (const name of Object.keys(own)) if (/EventPayload$/.test(name)) own[name] = {}
    definitions[type] = { definitions: own, $ref: `#/definitions/${type}/definitions/${type}` }
  }
  return definitions
}
