import assert from 'node:assert/strict'
import type { PluginAssumption } from '@tarmac/plugin-kit/testing'
import { GitHub } from '../../github.js'

/**
 * Behaviour that GitHub publishes nowhere. The search for the run of a lost dispatch depends on the
 * first: it takes the runs of the viewer alone.
 */
export const assumptions: readonly PluginAssumption[] = [
  {
    kind: 'ci',
    title:
      'runs that the connection dispatches are by the viewer of GraphQL, an App by {slug}[bot]',
    async holds(context) {
      const repository = context.data['x-repository'] ?? context.app?.repository
      const github = new GitHub(context, String(repository))
      const { viewer } = await github.graphql<{ viewer: { login: string } }>(
        'query { viewer { login } }'
      )
      if (typeof context.secret('appId') === 'string') assert.match(viewer.login, /\[bot\]$/)
      const { data } = await github.request('GET /repos/{owner}/{repo}/actions/runs', {
        ...{ event: 'workflow_dispatch', actor: viewer.login, per_page: 1 },
      })
      return data.total_count > 0
    },
  },
]
