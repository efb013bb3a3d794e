import { APP } from '#apps/examples'
import { exampleCIBuild } from '#builds/examples'
import { ADA, CI_KEY } from '#organizations/examples'
import { VERSION } from '#releases/examples'

export const exampleBucket = {
  id: 'bucket_3fQv7MzR0kWd5HyNb9Tj',
  name: 'Release candidates',
  type: 'rc',
}

/** The candidate as testers find it, before its file is stored. */
export const examplePendingBuild = {
  id: 'build_1oXe4ScU6gPl8JtAw2Vi',
  bucketId: exampleBucket.id,
  bucketName: exampleBucket.name,
  appId: APP.id,
  status: 'processing',
  artifactFileName: 'Acme.ipa',
  fileSize: 84_213_760,
  testerNotes: 'Please log in with a passkey.',
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
}

export const exampleBuild = {
  ...examplePendingBuild,
  status: 'active',
  additionalArtifacts: [
    { fileName: 'Acme.dSYM.zip', size: 31_457_280, createdAt: '2026-11-16T11:43:10.000Z' },
  ],
  downloadUrl: `https://tarmac.acme.example/app/${APP.id}/bucket/${exampleBucket.id}/build/${examplePendingBuild.id}/download`,
}
