import type { Kind } from '../../kinds.js'
import type { Plugin } from '../../plugin.js'
import type { Credentials } from '../../port/door.js'
import { NOTHING, type ObjectSchema, type ValueSchema } from '../../schema.js'

/** A real account, described by environment variables. */
export interface LiveAccount {
  credentials: Credentials
  settings: Readonly<Record<string, unknown>>
  data: Partial<Record<Kind, Readonly<Record<string, unknown>>>>
  /** Unset variables that other kinds of the plugin need to be tested. */
  missing: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns a variable name, such as `LIVE_GITHUB_APP_ID` for `appId` of the plugin `github`. */
const variableOf = (pluginId: string, property: string) =>
  `LIVE_${pluginId}_${property.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')}`
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

/**
 * Reads a real account of a plugin from the variables `LIVE_<ID>_<PROPERTY>`: its credentials, the
 * settings of its connection, and the data of its integrations. Null if no credential is set.
 */
export function liveAccount({ manifest }: Plugin, environment: Environment): LiveAccount | null {
  const read = ({ properties }: ObjectSchema = NOTHING) => {
    const entries = Object.entries(properties).flatMap(([name, schema]) => {
      const text = environment[variableOf(manifest.id, name)]
      return text ? [[name, valueOf(schema, text)] as const] : []
    })
    return Object.fromEntries(entries)
  }
  const credentials = read(manifest.credentialSchema)
  if (Object.keys(credentials).length === 0) return null
  const data: LiveAccount['data'] = {}
  const missing: string[] = []
  for (const [kind, { dataSchema }] of Object.entries(manifest.capabilities)) {
    const values = read(dataSchema)
    const unset = (dataSchema?.required ?? []).filter((name) => !Object.hasOwn(values, name))
    if (unset.length === 0) data[kind as Kind] = values
    missing.push(...unset.map((name) => variableOf(manifest.id, name)))
  }
  return { credentials, settings: read(manifest.connectionSchema), data, missing }
}

/** Parses the value of a variable. Items of a list are separated by commas. */
function valueOf({ type }: ValueSchema, text: string): unknown {
  if (type === 'integer') return Number(text)
  if (type === 'boolean') return text === 'true'
  return type === 'array' ? text.split(',').map((each) => each.trim()) : text
}
