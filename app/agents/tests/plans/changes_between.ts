import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { form } from '#tests/support/form'
import { yaml } from '#tests/support/requests'
import type { ApiOptions } from '#tests/support/api'
import type { PlannedWorld } from './planned_world.js'

/** A change that somebody else makes between a plan and its confirmation. */
export type Change = () => Promise<unknown>

/** Returns every kind of change of a world, by description. */
export function changesBetween(world: PlannedWorld): Record<string, Change> {
  const { admin, org, app, appId, bucket, build, link, hook, group, otherApp } = world
  const send =
    (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: object, more?: ApiOptions) =>
    async () => {
      const options = { ...(json && { json }), ...more }
      const { status, text } = await admin.send(method, path, options)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    }
  const file = form({ file: 'another build', fileName: 'Acme.ipa' })
  const custom = form(
    { file: 'a build of CI', fileName: 'Acme.ipa' },
    JSON.stringify({ ...CUSTOM_BUILD, buildIdentifier: '4711' })
  )
  return {
    'the release is renamed': send('PUT', world.release('1.1.0'), { releaseName: 'Winter' }),
    'the release has a submit date': send('PUT', world.release('1.1.0'), {
      targetSubmitAt: '2999-02-01T00:00:00Z',
    }),
    'the active release is renamed': send('PUT', world.release('1.0.0'), { releaseName: 'Fall' }),
    'the active release is kicked off': send('PUT', `${world.release('1.0.0')}/kickoff`),
    'another release is renamed': send('PUT', world.release('1.3.0'), { releaseName: 'Later' }),
    'another release is drafted': send('POST', `${app}/release`, { version: '8.0.0' }),
    'another release is deleted': send('DELETE', world.release('1.3.0')),
    'the release is skipped': send('PUT', `${world.release('1.1.0')}/skip`, {}),
    'an approval of the release is given': send('PUT', `${world.item(world.approval)}/status`, {
      status: 'approved',
    }),
    'a regression item of the release is set': send(
      'PUT',
      `${world.item(world.regression)}/status`,
      { status: 'passed' }
    ),
    'a text of the release is set': send(
      'PUT',
      `${world.release('1.1.0')}/stepRun/${world.run('metadata')}/metadata`,
      { localizations: [{ locale: 'en-US', whatsNew: 'Faster.' }] }
    ),
    'a work item of the release is ignored': send(
      'POST',
      `${world.release('1.1.0')}/frIgnoreUnignore`,
      { itemIds: [world.featureItem] }
    ),
    'an item is renamed': send('PUT', `${app}/checklistItem/${world.regression}`, {
      title: 'Log out',
    }),
    'an item is made': send('POST', `${app}/regressionItem`, { title: 'Pay' }),
    'a build is uploaded': send('POST', `${bucket}/build`, undefined, file),
    'the build is tagged': send('PATCH', `${bucket}/build/${build}`, { tags: ['good'] }),
    'the build has notes': send('PATCH', `${bucket}/build/${build}`, { testerNotes: 'Look' }),
    'a file is attached to the build': send(
      'POST',
      `${bucket}/build/${build}/additionalFiles`,
      undefined,
      form({ file: 'symbols', fileName: 'dSYMs.zip' })
    ),
    'CI sends a build': send('POST', world.ci, undefined, custom),
    'the bucket is renamed': send('PATCH', bucket, { name: 'Gamma' }),
    'the bucket has a member': send('PATCH', bucket, {
      members: [{ name: 'Crew', permissionLevel: 'tester' }],
    }),
    'a bucket is made': send('POST', `${app}/bucket`, { name: 'Weekly' }),
    'the link ends': send('PATCH', link, { expiresAt: '2999-05-01T00:00:00Z' }),
    'another link is made': send('POST', `${bucket}/installLink`, {}),
    'the app is renamed': send('PATCH', `${app}/app/config`, undefined, yaml('name: Renamed\n')),
    'the app has a member': send(
      'PATCH',
      `${app}/app/config`,
      undefined,
      yaml(`appUsers: [${world.email}]\n`)
    ),
    'the app has an integration': () => installIntegration(world, appId, 'generic-analytics'),
    'the cadence is set': send('PUT', `${app}/scheduleCadence`, {
      startDate: '2199-03-04',
      targets: [{ kickoff: { dayOffset: 1, time: '09:00' } }],
    }),
    'automations are paused': send('PUT', `${app}/automations/pause`, { paused: true }),
    'an automation is switched on': send('PUT', `${app}/automations`, {
      type: 'kickoffOnTargetDate',
      enabled: true,
    }),
    'a notification is set': send('PUT', `${app}/notifications`, {
      type: 'release.submitReminder',
      leadTimeMinutes: 30,
    }),
    'the reminder is set': send('PUT', `${app}/notifications`, {
      type: 'release.kickoffReminder',
      leadTimeMinutes: 90,
    }),
    'a policy is set': send('PUT', `${app}/rolloutPolicy`, {
      policy: {
        ladder: [
          { percentage: 50, hours: 1 },
          { percentage: 100, hours: 0 },
        ],
      },
    }),
    'the endpoint is changed': send('PATCH', `${org}/webhookEndpoint/${hook}`, {
      events: ['release.created'],
    }),
    'the group may more': send('PUT', `${org}/group/${group}`, {
      userActions: ['EditRelease', 'SelectBuild'],
    }),
    'the group is renamed': send('PUT', `${org}/group/${group}`, { name: 'Crew two' }),
    'the group has a member': send('PUT', `${org}/group/${group}`, { userEmails: [world.email] }),
    'another group is made': send('POST', `${org}/group`, { name: 'Other', userActions: [] }),
    'the fix is approved by somebody': send('PUT', `${world.fix}/approve`, {}),
    'the fix is rejected': send('PUT', `${world.fix}/reject`, { comment: 'No' }),
    'another fix is asked for': send('POST', `${otherApp}/fixRequest`, { title: 'Slow' }),
    'the issue is renamed': send('PUT', world.issue, { title: 'It crashes at start' }),
    'fixes take more approvals': send(
      'PUT',
      `/app/${world.ids.fix.appId}/fixRequestFormFieldsSettings`,
      { requiredApprovals: 3 }
    ),
  }
}
