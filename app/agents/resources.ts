import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { readOrNull, type Caller } from './asking.js'
import { harmless } from './tools/harmless.js'

/** Data that can be read under its own address. */
const RESOURCES = [
  {
    uriTemplate: 'tarmac://app/{appId}/configuration',
    name: 'configuration',
    title: "An app's configuration file",
    description: 'The app as YAML, as it can be applied again.',
    mimeType: 'application/yaml',
    operation: 'exportAppConfiguration',
  },
  {
    uriTemplate: 'tarmac://app/{appId}/release/{releaseId}/timeline',
    name: 'timeline',
    title: "A release's timeline",
    description: 'Its latest entries. Others wrote titles and comments.',
    mimeType: 'application/json',
    operation: 'listTimelineEvents',
  },
] as const

export const listedTemplates = RESOURCES.map(({ operation: _operation, ...listed }) => listed)

/** Reads the resource of an address. Returns null when it names nothing the caller can read. */
export async function readResource(
  caller: Caller,
  uri: string
): Promise<ReadResourceResult | null> {
  for (const { uriTemplate, operation, mimeType } of RESOURCES) {
    const params = matched(uriTemplate, uri)
    if (!params) continue
    const text = await readOrNull(caller, operation, params)
    return text === null ? null : { contents: [{ uri, mimeType, text: harmless(text) }] }
  }
  return null
}

/** Returns the values of a template's names in an address. */
function matched(template: string, uri: string): Record<string, string> | null {
  const pattern = template.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/?#]+)`)
  const found = new RegExp(`^${pattern}$`).exec(uri)
  if (!found) return null
  try {
    const entries = Object.entries(found.groups ?? {})
    return Object.fromEntries(entries.map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return null
  }
}
