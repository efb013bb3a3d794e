import { APP } from '#apps/examples'
import { exampleCIBuild } from '#builds/examples'
import { ADA, CI_KEY, QA_GROUP } from '#organizations/examples'
import { VERSION } from '#releases/examples'

/** The bucket as events name it. */
export const BUCKET = {
  id: 'bucket_3fQv7MzR0kWd5HyNb9Tj',
  name: 'Release candidates',
  type: 'rc',
  status: 'active',
}

/** The candidate before its file is stored. */
export const examplePendingBuild = {
  id: 'build_1oXe4ScU6gPl8JtAw2Vi',
  bucketId: BUCKET.id,
  bucketName: BUCKET.name,
  appId: APP.id,
  status: 'processing',
  artifactFileName: 'Acme.ipa',
  fileSize: 84_213_760,
  testerNotes: 'Please log in with a passkey.',
  tags: ['passkeys'],
  ciBuild: exampleCIBuild,
  additionalArtifacts: [] as object[],
  testers: [{ id: ADA.id, email: ADA.email, installedAt: null, device: null }],
  version: VERSION,
  buildNumber: '4711',
  source: 'upload',
  createdAt: '2026-11-16T11:43:00.000Z',
  createdBy: CI_KEY,
  downloadUrl: null as string | null,
  expiresAt: '2027-02-14T11:43:00.000Z',
  metadataStatus: 'pending',
  metadataFailure: null,
  metadata: null as object | null,
}

export const exampleBuild = {
  ...examplePendingBuild,
  status: 'active',
  additionalArtifacts: [
    { fileName: 'Acme.dSYM.zip', size: 31_457_280, createdAt: '2026-11-16T11:43:10.000Z' },
  ],
  metadataStatus: 'read',
  metadata: {
    format: 'ipa',
    sha256: '5d41b7c1f0a9e8d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0998877665f',
    platform: 'ios',
    bundleId: 'com.acme.app',
    name: 'Acme',
    version: VERSION,
    buildNumber: '4711',
    minimumOsVersion: '16.0',
    targetOsVersion: '26.0',
    abis: ['arm64'],
    permissions: ['NSCameraUsageDescription'],
    signing: null,
    profile: {
      name: 'Acme Ad Hoc',
      type: 'adHoc',
      teamId: 'ACME123456',
      teamName: 'Acme Inc.',
      expiresAt: '2027-06-01T08:00:00.000Z',
      certificateExpiresAt: '2027-05-20T08:00:00.000Z',
      deviceCount: 42,
      getTaskAllow: false,
      entitlements: { 'application-identifier': 'ACME123456.com.acme.app' },
    },
    profileFailure: null,
    iconFailure: null,
    warnings: [],
  },
  downloadUrl: `https://tarmac.acme.example/app/${APP.id}/bucket/${BUCKET.id}/build/${examplePendingBuild.id}/download`,
}

/** Example CI data of an uploaded build. */
export const exampleUploadData = {
  testerNotes: exampleBuild.testerNotes,
  ciBuildInfo: {
    buildIdentifier: exampleCIBuild.buildIdentifier,
    branch: `refs/heads/${exampleCIBuild.branch}`,
    integrationId: exampleCIBuild.integrationId,
    commitHash: exampleCIBuild.commitHash,
    workflowData: exampleCIBuild.workflowData,
  },
}

export const exampleBucket = {
  ...BUCKET,
  appId: APP.id,
  orgWideAccessEnabled: true,
  notificationsEnabled: true,
  publicLinkEnabled: false,
  members: [{ ...QA_GROUP, type: 'group', permissionLevel: 'uploader' }],
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
    id: exampleBuild.id,
    artifactFileName: exampleBuild.artifactFileName,
    version: exampleBuild.version,
    createdAt: exampleBuild.createdAt,
  },
  createdAt: '2026-01-12T09:00:00.000Z',
  updatedAt: '2026-10-05T14:30:00.000Z',
}

/** A bucket that was just created. */
export const exampleNewBucket = {
  ...exampleBucket,
  id: 'bucket_6vRn1PzK8mYt3HdQc5Lw',
  name: 'Beta team',
  type: 'custom',
  orgWideAccessEnabled: false,
  buildCount: 0,
  latestBuild: null,
  createdAt: '2026-11-17T09:00:00.000Z',
  updatedAt: '2026-11-17T09:00:00.000Z',
}

export const exampleBuildPage = {
  data: [exampleBuild],
  pagination: { limit: 50, hasMore: false, nextCursor: null },
}
