import { stringify } from 'yaml'
import { linesIn, textOf } from '../frame/fields.js'
import type { Fields } from '../frame/page.js'

/** Kinds of providers that the form for an app offers, with the member of `data` that each needs. */
export const OFFERED = [
  { kind: 'versionControl', label: 'Code', data: 'repoName', dataLabel: 'Repository' },
  { kind: 'ci', label: 'CI', data: 'workflowId', dataLabel: 'Workflow that builds' },
  { kind: 'appStore', label: 'Store', data: 'bundleId', dataLabel: 'Bundle ID or package name' },
  { kind: 'chat', label: 'Chat', data: 'primaryChannelIds', dataLabel: 'Channels, by their ids' },
] as const

/** The value of an open choice. It is not a valid type, so the service refuses it. */
export const UNDECIDED = '?'

/**
 * Returns the value of a choice: the type of an integration, and the name of its connection in
 * files.
 */
export const choiceOf = (type: string, provider: string) => `${type} ${provider}`

/** Returns the configuration file for the fields, which is checked like any other. */
export function fileOf(fields: Fields): string {
  const integrations = Object.fromEntries(
    OFFERED.flatMap(({ kind, data }) => {
      const chosen = textOf(fields, kind)
      if (chosen === null) return []
      const [, type, provider] = /^(\S+) (.+)$/.exec(chosen) ?? [null, undefined, '']
      const value = kind === 'chat' ? linesIn(fields, data) : (textOf(fields, data) ?? '')
      return [[kind, { type, provider, data: { [data]: value } }]]
    })
  )
  return stringify({
    name: textOf(fields, 'name') ?? '',
    platform: textOf(fields, 'platform') ?? '',
    ...(Object.keys(integrations).length > 0 && { integrations }),
    ...('versionControl' in integrations && {
      branchSettings: {
        versionControl: {
          releaseBranchPatterns: { all: { pattern: 'release/{version}' } },
          workingBranch: textOf(fields, 'workingBranch') ?? 'main',
        },
      },
      tagSettings: { release: { pattern: 'v{version}' } },
    }),
  })
}

/** Returns the field for a position in the file; null if there is none. */
export function fieldAt(pointer: string): string | null {
  const [, member, kind, part, data] = pointer.split('/')
  if (member === 'branchSettings') return 'workingBranch'
  if (member !== 'integrations') return member ?? null
  return part === 'data' ? (data ?? null) : (kind ?? null)
}
