import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Google publishes types of its API with its client. JSON Schemas are generated from them once and
 * kept, since that takes some seconds. The types of the reports are generated from Google's own
 * description; npm fetches them, and they are no dependency.
 */

const REPORTS = '@maxim_mazurok/gapi.client.playdeveloperreporting-v1beta1@0.1.20260308'
const KEPT = '../../../../../node_modules/.cache/tarmac/google-play-42.0.0.json'
const CACHE = fileURLToPath(new URL(KEPT, import.meta.url))

export const PUBLISHER = 'androidpublisher_v3.Schema$'
export const REPORTING = 'gapi.client.playdeveloperreporting.GooglePlayDeveloperReportingV1beta1'

export interface Published {
  /** Schemas by the names of their types. */
  definitions: Record<string, object>
  /** Parameters of a query, by the names of their types. */
  parameters: Record<string, string[]>
}

/**
 * Returns the description of some types and of some operations' parameters.
 * @param parameters texts that begin the list of an operation's parameters
 */
export async function published(
  types: readonly string[],
  parameters: readonly string[]
): Promise<Published> {
  const kept = existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as Published) : null
  const isWhole =
    types.every((type) => kept?.definitions[type]) &&
    parameters.every((name) => kept?.parameters[name])
  if (kept && isWhole) return kept
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-google-'))
  try {
    const made = await make(folder, types, parameters)
    mkdirSync(dirname(CACHE), { recursive: true })
    writeFileSync(CACHE, JSON.stringify(made))
    return made
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function make(
  folder: string,
  types: readonly string[],
  parameters: readonly string[]
): Promise<Published> {
  const { createGenerator } = await import('ts-json-schema-generator')
  const { resolve } = createRequire(import.meta.url)
  const files = {
    [PUBLISHER]: resolve('@googleapis/androidpublisher/build/v3.js').replace(/js$/, 'd.ts'),
    [REPORTING]: fetchReports(folder),
  }
  const definitions: Record<string, object> = {}
  for (const [prefix, path] of Object.entries(files)) {
    const own = types.filter((type) => type.startsWith(prefix))
    const generator = createGenerator({
      path,
      ...{ type: own[0], expose: 'all', topRef: true, skipTypeCheck: true },
      additionalProperties: false,
    })
    for (const type of own) Object.assign(definitions, generator.createSchema(type).definitions)
  }
  const texts = Object.values(files).map((path) => readFileSync(path, 'utf8'))
  const listed = parameters.map((name) => [name, parametersIn(texts, name)] as const)
  return { definitions, parameters: Object.fromEntries(listed) }
}

function parametersIn(texts: readonly string[], begin: string): string[] {
  const text = texts.find((each) => each.includes(begin))
  if (!text) throw new Error(`Google publishes no ${begin}`)
  const from = text.indexOf(begin) + begin.length
  const list = text.slice(from, text.indexOf('\n    }', from))
  return [...list.matchAll(/^\s+'?([\w.$]+)'?\?: /gm)].map(([, name]) => name)
}

function fetchReports(folder: string): string {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8' }).trim()
  run('tar', '-xzf', run('npm', 'pack', REPORTS, '--silent'), 'package/index.d.ts')
  const path = join(folder, 'reports.d.ts')
  // The text refers to browser types.
  const text = readFileSync(join(folder, 'package/index.d.ts'), 'utf8')
  writeFileSync(path, text.replace('/// <reference types="gapi.client" />', ''))
  return path
}
