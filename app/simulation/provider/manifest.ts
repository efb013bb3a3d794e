import { worldManifest } from './shared/world_manifest.js'

export const manifest = worldManifest({
  id: 'sim',
  aliases: ['simulation'],
  name: 'Simulated world',
  capabilities: {
    versionControl: {
      type: 'sim-vcs',
      features: [
        'createRelease',
        'mergeBranch',
        'openPullRequest',
        'listOpenPullRequests',
        'getPullRequest',
        'pullRequestsForCommit',
        'mergePullRequest',
        'setStatus',
        'patchIds',
      ],
    },
    ci: { type: 'sim-ci', features: ['cancel'] },
    chat: { type: 'sim-chat', features: ['ensureChannel', 'update', 'findUserByEmail'] },
    issueTracking: {
      type: 'sim-issues',
      features: ['ensureVersion', 'setVersion', 'addLabels', 'releaseVersion'],
    },
    testManagement: { type: 'sim-tests', features: [] },
    crashMonitoring: { type: 'sim-crashes', features: [] },
    productAnalytics: { type: 'sim-analytics', features: ['adoption'] },
    experimentation: { type: 'sim-flags', features: [] },
    onCall: { type: 'sim-on-call', features: [] },
    localization: { type: 'sim-translations', features: [] },
  },
})
