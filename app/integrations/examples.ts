/** The version control of the app. */
export const exampleIntegration = {
  id: 'int_8wQe3RtY5uIo1PaSd6Fg',
  alias: 'Code',
  type: 'github-vcs',
  kind: 'versionControl',
  provider: { id: 'github:111222333', alias: 'Acme on GitHub' },
  data: { repoName: 'acme/ios' },
  status: 'connected',
  lastSyncedAt: '2026-11-16T09:00:00.000Z',
  createdAt: '2026-01-12T09:10:00.000Z',
}
