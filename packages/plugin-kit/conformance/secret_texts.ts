import type { ConformanceOptions } from './options.js'

/** Shorter values are parts of ordinary words. */
const MIN_LENGTH = 6

/** Returns the credentials that the schema marks as secrets. */
export function secretTexts(
  { plugin, credentials }: ConformanceOptions,
  which: keyof ConformanceOptions['credentials']
): string[] {
  const given = credentials[which] ?? {}
  return Object.entries(plugin.manifest.credentialSchema.properties).flatMap(([name, schema]) => {
    const value = given[name]
    const isSecret = schema['x-secret'] === true && typeof value === 'string'
    return isSecret && value.length >= MIN_LENGTH ? [value] : []
  })
}
