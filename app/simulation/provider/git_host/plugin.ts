import { definePlugin } from '#plugin-kit/plugin'
import { worldManifest } from '../shared/world_manifest.js'

const manifest = worldManifest({
  id: 'sim-git',
  aliases: ['simulated-git-host'],
  name: 'Simulated git host',
  connectionSchema: {
    type: 'object',
    required: ['baseUrl'],
    properties: {
      baseUrl: {
        type: 'string',
        minLength: 1,
        maxLength: 1000,
        pattern: '^/[^\\u0000-\\u001f\\u007f]+$',
        title: 'Folder',
        description: 'Path on the machine of the service that repositories of git are in.',
      },
    },
  },
  capabilities: {
    versionControl: {
      type: 'sim-git-vcs',
      features: [
        'mergeBranch',
        'openPullRequest',
        'listOpenPullRequests',
        'getPullRequest',
        'pullRequestsForCommit',
        'mergePullRequest',
        'setStatus',
        'patchIds',
      ],
      dataSchema: {
        type: 'object',
        required: ['repoName'],
        properties: { repoName: { type: 'string', minLength: 1, maxLength: 300 } },
      },
    },
  },
})

/** A git host over real repositories: git has the commits, a world the requests to merge. */
export default definePlugin({
  manifest,
  lifecycle: () => import('../lifecycle.js'),
  capabilities: { versionControl: () => import('./git_host.js') },
})
