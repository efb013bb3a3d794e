import type { PluginAssumption } from '@tarmac/plugin-kit/testing'

/** Refusals that Atlassian's pages do not describe. Only an edit would show them. */
export const assumptions: readonly PluginAssumption[] = [
  'an edit is refused while a required field of the issue is empty, and the refusal names the field',
  'an edit is refused if it adds an archived version',
].map((title) => ({ kind: 'issueTracking', title, holds: async () => false }))
