import { sendFile } from '#distribution/tests/support'
import type { Api } from '../api.js'
import { CUSTOM_BUILD, installIntegration } from '../custom_integrations.js'
import type { Case } from './case.js'

/** Returns the paths of a new bucket and of a build in it. */
async function bucketWithBuild(admin: Api, app: string) {
  const { body } = await admin.post(`/app/${app}/bucket`, { name: 'Beta' })
  const bucket = `/app/${app}/bucket/${body.id}`
  const uploaded = await sendFile(admin, `${bucket}/build`)
  return { bucket, build: `${bucket}/build/${uploaded.body.id}` }
}

/** Conflicts about builds and their buckets. */
export const BUILD_CONFLICTS: Case[] = [
  {
    code: 'file_gone',
    what: 'downloading an expired build',
    async cause({ admin, app }) {
      const { build } = await bucketWithBuild(admin, app)
      await admin.patch(build, { status: 'expired' })
      return admin.get(`${build}/download`)
    },
    currentStatus: 'expired',
    allowedActions: ['update', 'delete'],
  },
  {
    code: 'conflict',
    what: 'attaching a file to an expired build',
    async cause({ admin, app }) {
      const { build } = await bucketWithBuild(admin, app)
      await admin.patch(build, { status: 'expired' })
      return sendFile(admin, `${build}/additionalFiles`)
    },
    currentStatus: 'expired',
    allowedActions: ['update', 'delete'],
  },
  {
    code: 'conflict',
    what: 'uploading into an archived bucket',
    async cause({ admin, app }) {
      const { bucket } = await bucketWithBuild(admin, app)
      await admin.patch(bucket, { status: 'archived' })
      return sendFile(admin, `${bucket}/build`)
    },
    currentStatus: 'archived',
    allowedActions: ['update'],
  },
  {
    code: 'conflict',
    what: 'sending another file of a build that is over',
    async cause({ world, admin, app }) {
      const installation = await installIntegration(world, app, 'generic-ci')
      const path = `/app/${app}/integration/${installation}/build`
      await sendFile(admin, path, { data: CUSTOM_BUILD, bytes: 'one' })
      return sendFile(admin, path, { data: CUSTOM_BUILD, bytes: 'another' })
    },
    currentStatus: 'success',
    allowedActions: ['attach'],
  },
]
