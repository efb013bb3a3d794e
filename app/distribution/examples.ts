/** A bucket and a build of it as the documents show them. */
export const exampleBucket = {
  id: 'bucket_3kLq0VbM2wXy7TtZr9Kd',
  appId: 'acme-ios',
  name: 'Release candidates',
  type: 'rc',
  status: 'active',
  orgWideAccessEnabled: true,
  notificationsEnabled: true,
  publicLinkEnabled: false,
  members: [
    {
      id: 'grp_4fJq0VbM2wXy7TtZr9Kd',
      type: 'group',
      name: 'QA',
      permissionLevel: 'uploader',
    },
  ],
  rules: [
    {
      id: 'rule_9sKq2VbM2wXy7TtZr9Kd',
      type: 'Branch',
      branch: 'release/{version}',
      baseBranch: null,
      workflow: 'release.yml',
      fileFilterPatterns: ['*.ipa'],
    },
  ],
  automations: [],
  buildCount: 12,
  latestBuild: {
    id: 'build_8wPq2VbM2wXy7TtZr9Kd',
    artifactFileName: 'Acme-1.4.0-4711.ipa',
    version: null,
    createdAt: '2026-11-20T18:50:14.123Z',
  },
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-11-02T09:30:00.000Z',
}

export const exampleCIBuildInfo = {
  buildIdentifier: '4711',
  branch: 'release/1.4.0',
  integrationId: 'github-ci',
  commitHash: '9f2c1d7e5b3a4c6d8e0f1a2b3c4d5e6f7a8b9c0d',
  workflowData: { workflowId: 'release.yml', workflowName: 'Release' },
}

export const exampleBuild = {
  id: 'build_8wPq2VbM2wXy7TtZr9Kd',
  bucketId: exampleBucket.id,
  bucketName: exampleBucket.name,
  appId: 'acme-ios',
  status: 'active',
  artifactFileName: 'Acme-1.4.0-4711.ipa',
  fileSize: 48_213_904,
  testerNotes: 'Log in with a passkey, then pay by card.',
  ciBuild: {
    id: 'ci_2hTq2VbM2wXy7TtZr9Kd',
    ...exampleCIBuildInfo,
    buildStatus: 'success',
    commitMessage: 'Bump the version to 1.4.0',
    commitAuthor: 'ada@acme.example',
    commitUrl: 'https://git.acme.example/acme/app/commit/9f2c1d7e',
    url: 'https://ci.acme.example/runs/4711',
    startedAt: '2026-11-20T18:31:02.000Z',
    finishedAt: '2026-11-20T18:50:14.123Z',
    artifacts: [{ fileName: 'Acme-1.4.0-4711.ipa', size: 48_213_904 }],
    appStoreBuild: null,
    releaseId: null,
  },
  additionalArtifacts: [
    { fileName: 'dSYMs.zip', size: 9_120_334, createdAt: '2026-11-20T18:51:40.000Z' },
  ],
  testers: [],
  version: null,
  buildNumber: null,
  source: 'upload',
  createdAt: '2026-11-20T18:50:14.123Z',
  createdBy: { type: 'apiKey', id: 'Zq81kDm02LxP', name: 'CI' },
  downloadUrl:
    'https://tarmac.acme.example/app/acme-ios/bucket/bucket_3kLq0VbM2wXy7TtZr9Kd/build/build_8wPq2VbM2wXy7TtZr9Kd/download',
  expiresAt: null,
}
