import type { Module } from '#foundation/api/module'
import { appExtensions } from '#apps/extensions'
import { buildSubscribers } from '#builds/subscribers'
import { buildInterests } from '#builds/interests'
import { releaseExtensions } from '#releases/extensions'
import { organizationExtensions } from '#organizations/extensions'
import { expiringBuilds } from './expiry/expiring_builds.js'
import { evidence } from './evidence.js'
import { expireOnTime } from './retention/expire_on_time.js'
import { landBuild } from './rules/land_build.js'
import { ruleInterest } from './rules/rule_interest.js'
import { appExtension } from './app_extension.js'
import { installParameters } from './install_pages/parameters.js'
import { events } from './events.js'
import { organizationExtension } from './organization_extension.js'
import { problems, problemMembers } from './problems.js'
import { readOnCommand } from './reading/read_on_command.js'
import { operations } from './routes.js'

/** Buckets, in which builds are handed to testers. */
export const distribution: Module = {
  name: 'distribution',
  operations,
  events,
  problems,
  problemMembers,
  parameters: {
    bucketId: { description: 'Id of the bucket.', example: 'bucket_3kLq0VbM2wXy7TtZr9Kd' },
    uploadId: { description: 'Id of the upload.', example: 'upload_5tQr2VbM2wXy7TtZr9Kd' },
    buildDistroBuildId: { description: 'Id of the build.', example: 'build_8wPq2VbM2wXy7TtZr9Kd' },
    installLinkId: { description: 'Id of the link.', example: 'link_6cVb3NzQ8xLk1WpRt5Hj' },
    ...installParameters,
  },
  tags: {
    'Distribution buckets': 'Buckets and the builds in them.',
    'Install links': 'Install links for testers, and what devices request through them.',
  },
  work: [expireOnTime, readOnCommand],
  extensions: [
    organizationExtensions.extend(organizationExtension),
    appExtensions.extend(appExtension),
    releaseExtensions.extend({
      name: 'distribution',
      presentation: { evidence, ...expiringBuilds },
    }),
    buildSubscribers.extend(landBuild),
    buildInterests.extend(ruleInterest),
  ],
}
