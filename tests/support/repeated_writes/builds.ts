import { ANSWER_TYPE, answerTo } from '#distribution/devices/tests/support'
import { pageToken } from '#distribution/install_pages/install_tokens'
import { CUSTOM_BUILD } from '../custom_integrations.js'
import { form } from '../form.js'
import type { Repeatable } from './repeatable.js'
import { put, type Write } from './write.js'

/** Writes to builds of every source, and to the buckets and install links for testers. */
export const ofBuilds = ({
  bucket,
  linkId,
  link,
  build,
  ci,
  ciBuild,
  storeBuild,
}: Repeatable): Record<string, Write[]> => ({
  linkAppStoreBuild: [
    put(`${storeBuild}/ciBuild`, {
      ciBuildId: ciBuild,
    }),
  ],
  updateBucket: [
    {
      method: 'PATCH',
      path: bucket,
      options: {
        json: {
          name: 'Gamma',
          orgWideAccessEnabled: true,
          members: [{ name: 'Crew', permissionLevel: 'tester' }],
          rules: [{ type: 'Branch', branch: 'main' }],
        },
      },
      tagged: bucket,
    },
  ],
  registerTesterDevice: [
    {
      method: 'POST',
      path: `/install/${pageToken(linkId)}/device`,
      options: { raw: answerTo(linkId), headers: { 'content-type': ANSWER_TYPE } },
      status: 301,
    },
  ],
  updateInstallLink: [
    {
      method: 'PATCH',
      path: link,
      options: { json: { expiresAt: '2999-01-01T01:00:00+01:00' } },
      tagged: link,
    },
  ],
  updateBucketBuild: [
    {
      method: 'PATCH',
      path: `${bucket}/build/${build}`,
      options: { json: { testerNotes: 'Try it', expiresAt: '2999-01-01T01:00:00+01:00' } },
      tagged: `${bucket}/build/${build}`,
    },
  ],
  uploadCustomCIBuild: [
    {
      method: 'POST',
      path: ci,
      options: form({ file: 'the build', fileName: 'Acme.ipa' }, JSON.stringify(CUSTOM_BUILD)),
    },
  ],
  attachCustomCIBuildFile: [
    {
      method: 'POST',
      path: `${ci}/${ciBuild}/additionalFiles`,
      options: form({ file: 'symbols', fileName: 'dSYMs.zip' }),
    },
  ],
})
