import { relative, sep } from 'node:path'
import { jsonPointer } from '#foundation/core/json_pointer'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import { checkValue } from '#plugin-kit/check_value'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { Plugin } from '#plugin-kit/plugin'
import type { ObjectSchema, SchemaProblem, ValueSchema } from '#plugin-kit/schema'
import { oauthScheme } from '../oauth/oauth_scheme.js'
import type { Credentials } from './credentials.js'

type Schemas = Pick<PluginManifest, 'credentialSchema' | 'connectionSchema'>

/** The settings and credentials of a connection. */
interface Given {
  settings?: Record<string, unknown>
  credentials: Credentials
}

/** Returns where a connection violates its plugin's schemas; messages never contain a value. */
export const faultsIn = (
  { credentialSchema, connectionSchema }: Schemas,
  { settings, credentials }: Given
): ProblemPlace[] => [
  ...placesIn('credentials', credentialSchema, checkValue(credentialSchema, credentials)),
  ...(settings
    ? placesIn('settings', connectionSchema, checkValue(connectionSchema, settings))
    : []),
]

/**
 * Validates settings and credentials against the plugin's schemas.
 * @throws invalid_input
 */
export const requireFitting = (schemas: Schemas, given: Given): void =>
  throwIfAny(faultsIn(schemas, given))

/** Folders that people may enter on pages, by plugin id; others only at the console. */
export type PageFolders = Readonly<Record<string, readonly string[]>>

/**
 * Returns the places of settings that only the operator of the service may give. `x-operator: true`
 * reserves a setting; a pattern reserves the values that match it, unless they lie in a folder that
 * pages may name.
 */
export const errorsOfOperator = (
  { id, connectionSchema: { properties } }: Schemas & Pick<PluginManifest, 'id'>,
  settings: Record<string, unknown>,
  pageFolders: PageFolders
): ProblemPlace[] =>
  Object.entries(settings).flatMap(([name, value]) => {
    const { 'x-operator': mark, title = name } = properties[name] ?? {}
    const isOperators = typeof mark === 'string' ? new RegExp(mark, 'u').test(`${value}`) : mark
    if (!isOperators) return []
    const folders = typeof mark === 'string' ? (pageFolders[id] ?? []) : []
    if (folders.some((folder) => isBelow(folder, value))) return []
    const message =
      folders.length === 0
        ? `${title} is given at the console, by whoever runs the service.`
        : `${title} lies outside of ${folders.join(', ')}: any other folder is given at the console, by whoever runs the service.`
    return [{ pointer: jsonPointer('settings', name), code: 'operator', message }]
  })

const isBelow = (folder: string, value: unknown) =>
  typeof value === 'string' && !relative(folder, value).split(sep).includes('..')

/**
 * Returns the errors of the values given before connecting in a browser. Missing credentials
 * are no fault, because the provider supplies them.
 * @throws conflict for a plugin that is not connected that way
 */
export function errorsOfBrowserInput({ manifest, setup }: Plugin, given: Given): ProblemPlace[] {
  if (!setup) oauthScheme(manifest)
  const { credentials } = given
  const places = Object.keys(credentials).map((name) => jsonPointer('credentials', name))
  const isGiven = (pointer = '') =>
    places.some((place) => pointer === place || pointer.startsWith(`${place}/`))
  const errors = faultsIn(manifest, given).filter(
    ({ pointer }) => pointer?.startsWith('/settings') || isGiven(pointer)
  )
  if (!setup && !credentials.clientId) {
    const [fault] = placesIn('credentials', manifest.credentialSchema, [
      { path: ['clientId'], message: 'is required' },
    ])
    errors.push(fault)
  }
  return errors
}

/** Validates the values given before connecting in a browser. @throws conflict, invalid_input */
export const requireBrowserInput = (plugin: Plugin, given: Given): void =>
  throwIfAny(errorsOfBrowserInput(plugin, given))

/** @throws invalid_input with what is wrong, if anything is */
export function throwIfAny(errors: ProblemPlace[]): void {
  if (errors.length === 0) return
  const detail = 'The values do not match the schema of the plugin.'
  throw refuse('invalid_input', { detail, errors })
}

const placesIn = (member: string, schema: ObjectSchema, problems: readonly SchemaProblem[]) =>
  problems.map(({ path, message }) => {
    const found = schemaAt(schema, path)
    return {
      pointer: jsonPointer(member, ...path),
      code: 'invalid',
      message: `${found?.title ?? path.join('.')} ${inWords(message, found)}.`,
    }
  })

/** Leaves the pattern out of a message if the schema has a description in words. */
const inWords = (message: string, schema: ValueSchema | undefined) =>
  schema?.description && message.startsWith('has to match ')
    ? 'has another form than it should'
    : message

function schemaAt(schema: ValueSchema, path: SchemaProblem['path']): ValueSchema | undefined {
  let at: ValueSchema | undefined = schema
  for (const step of path) {
    if (at?.type === 'object') at = at.properties[step]
    else if (at?.type === 'array') at = { title: at.title, ...at.items } as ValueSchema
  }
  return at
}
