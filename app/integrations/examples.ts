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
  failure: null,
  createdAt: '2026-01-12T09:10:00.000Z',
}

/** The answer to a challenge. */
export const exampleCallbackAnswer = { challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd' }

/** The store of the app, with a new key. */
export const exampleUpdatedStore = {
  id: 'int_4tGh7JkL9zXc2VbNm5Qw',
  alias: 'Store',
  type: 'apple',
  kind: 'appStore',
  provider: { id: 'apple:444555666', alias: 'Acme on App Store Connect' },
  data: { bundleId: 'com.acme.ios' },
  status: 'connected',
  lastSyncedAt: '2026-11-16T09:00:00.000Z',
  failure: null,
  createdAt: '2026-01-12T09:10:00.000Z',
  updatedAt: '2026-11-16T09:10:00.000Z',
  keyHint: '…7J4K',
}

/** A key of App Store Connect as it is sent. */
export const exampleAuthUpdate = {
  issuerId: '69a6de70-03db-47e3-e053-5b8c7c11a4d1',
  keyId: '2X9R7J4K',
  privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
}
