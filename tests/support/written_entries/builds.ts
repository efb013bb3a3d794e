import { ANSWER_TYPE, answerTo } from '#distribution/devices/tests/support'
import { pageToken } from '#distribution/install_pages/install_tokens'
import type { ApiOptions } from '../api.js'
import { json, type Write } from './write.js'

const idOf = (path: string) => path.split('/').at(-1)!
const tus = { 'tus-resumable': '1.0.0' }
const part = (offset: string, raw: string): ApiOptions => ({
  raw,
  headers: { ...tus, 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' },
})

/** Writes to builds of every source, and to the buckets and install links for testers. */
export const OF_BUILDS: Record<string, Write[]> = {
  linkAppStoreBuild: [
    {
      send: ({ storeBuild, ciBuild }) => [
        'PUT',
        `${storeBuild}/ciBuild`,
        json({ ciBuildId: idOf(ciBuild) }),
      ],
      release: ['ciBuild.appStoreBuildAssociated'],
      audit: ['appStoreBuild.linked'],
    },
  ],
  uploadAppStoreReviewAttachmentFiles: [
    {
      send: ({ app, file }) => ['POST', `${app}/appStoreReviewAttachmentFiles`, file],
      audit: ['appStoreReview.fileAttached'],
    },
  ],
  createBucket: [
    {
      send: ({ app }) => ['POST', `${app}/bucket`, json({ name: 'Nightly' })],
      audit: ['bucket.created'],
    },
  ],
  updateBucket: [
    {
      send: ({ bucket }) => ['PATCH', bucket, json({ name: 'Gamma' })],
      audit: ['bucket.updated'],
    },
  ],
  uploadBucketBuild: [
    {
      send: ({ bucket, file }) => ['POST', `${bucket}/build`, file],
      app: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
    },
  ],
  createBucketUpload: [
    {
      send: ({ bucket }) => [
        'POST',
        `${bucket}/uploads`,
        { headers: { ...tus, 'upload-length': '9' } },
      ],
      none: 'Nobody sees an upload before it is whole.',
    },
  ],
  continueBucketUpload: [
    {
      send: ({ upload }) => ['PATCH', upload, part('0', 'the ')],
      none: 'Nobody sees an upload before it is whole.',
    },
    {
      send: ({ upload }) => ['PATCH', upload, part('4', 'build')],
      app: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
    },
  ],
  cancelBucketUpload: [
    {
      send: ({ upload }) => ['DELETE', upload, { headers: tus }],
      none: 'Nobody sees an upload before it is whole.',
    },
  ],
  updateBucketBuild: [
    {
      send: ({ build }) => ['PATCH', build, json({ testerNotes: 'Try it' })],
      audit: ['build.updated'],
    },
  ],
  attachBucketBuildFile: [
    {
      send: ({ build, file }) => ['POST', `${build}/additionalFiles`, file],
      audit: ['build.fileAttached'],
    },
  ],
  deleteBucketBuild: [{ send: ({ build }) => ['DELETE', build], audit: ['build.deleted'] }],
  createInstallLink: [
    {
      send: ({ bucket }) => ['POST', `${bucket}/installLink`, json({})],
      audit: ['installLink.created'],
    },
  ],
  updateInstallLink: [
    {
      send: ({ installLink }) => [
        'PATCH',
        installLink,
        json({ expiresAt: '2999-01-01T00:00:00Z' }),
      ],
      audit: ['installLink.updated'],
    },
  ],
  deleteInstallLink: [
    { send: ({ installLink }) => ['DELETE', installLink], audit: ['installLink.revoked'] },
  ],
  registerTesterDevice: [
    {
      send: ({ installLink }) => [
        'POST',
        `/install/${pageToken(idOf(installLink))}/device`,
        { raw: answerTo(idOf(installLink)), headers: { 'content-type': ANSWER_TYPE } },
      ],
      audit: ['device.registered'],
    },
  ],
  uploadCustomCIBuild: [
    {
      send: ({ ci, customBuild }) => ['POST', `${ci}/build`, customBuild],
      release: ['ciBuild.statusChanged'],
    },
  ],
  attachCustomCIBuildFile: [
    {
      send: ({ ciBuild, file }) => ['POST', `${ciBuild}/additionalFiles`, file],
      audit: ['ciBuild.fileAttached'],
    },
  ],
}
