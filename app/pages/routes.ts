import type { HttpContext, Router } from '@adonisjs/core/http'
import { operations } from '#foundation/api/operation/registry'
import { routePattern } from '#foundation/api/operation/route_pattern'
import { refuse } from '#foundation/core/problems/problem'
import { addresses, oldAddresses } from './addresses.js'
import { shownAt, type AnyPage, type Form } from './frame/page.js'
import { keptOf } from './frame/typed_form.js'
import { ACT_NAMES } from './release/act_names.js'
import { pageRoute } from './session/page_route.js'
import { mountSignIn } from './session/routes.js'

type Loaded<Declared> = readonly [address: string, load: () => Promise<Declared>]

const home = () => import('./home/page.js')
const release = () => import('./release/page.js')
const timeline = () => import('./timeline/page.js')
const app = () => import('./app/page.js')
const newApp = () => import('./new_app/page.js')
const newAppForms = () => import('./new_app/forms.js')
const configuration = () => import('./configuration/page.js')
const configurationForms = () => import('./configuration/forms.js')
const policy = () => import('./policy/page.js')
const policyForms = () => import('./policy/forms.js')
const schedule = () => import('./schedule/page.js')
const trainForms = () => import('./schedule/train_forms.js')
const scheduleForms = () => import('./schedule/forms.js')
const automations = () => import('./automations/page.js')
const automationForms = () => import('./automations/forms.js')
const releaseForms = () => import('./release/forms.js')
const retrospective = () => import('./retrospective/page.js')
const rehearse = () => import('./rehearse/page.js')
const keys = () => import('./keys/page.js')
const keyForms = () => import('./keys/forms.js')
const trust = () => import('./keys/trust_page.js')
const trustForms = () => import('./keys/trust_forms.js')
const providers = () => import('./providers/page.js')
const providerForms = () => import('./providers/forms.js')
const people = () => import('./people/page.js')
const peopleForms = () => import('./people/forms.js')
const webhooks = () => import('./webhooks/page.js')
const webhookForms = () => import('./webhooks/forms.js')
const buckets = () => import('./buckets/page.js')
const bucketForms = () => import('./buckets/forms.js')
const links = () => import('./sharing/page.js')
const comparison = () => import('./comparison/page.js')
const guide = async () => (await import('./guide/serve_guide.js')).serveGuide

/** Every page of the interface, each loaded when it is first asked for. */
export const pages: readonly Loaded<AnyPage>[] = [
  [addresses.home, async () => (await home()).homePage],
  [addresses.turn, async () => (await home()).turnPage],
  [addresses.newApp, async () => (await newApp()).newAppPage],
  [addresses.chooseApp, async () => (await home()).chooseAppPage],
  // Before the page of a release, which would take `new` for an id.
  [addresses.newRelease, async () => (await app()).newReleasePage],
  [addresses.release, async () => (await release()).releasePage],
  [addresses.step, async () => (await release()).stepPage],
  [addresses.act, async () => (await release()).actPage],
  [addresses.partPair, async () => (await release()).partPage],
  [addresses.timeline, async () => (await timeline()).timelinePage],
  [addresses.releaseComparison, async () => (await comparison()).releaseComparisonPage],
  [addresses.testerBuildComparison, async () => (await comparison()).buildComparisonPage],
  [addresses.retrospective, async () => (await retrospective()).retrospectivePage],
  [addresses.rehearsals, async () => (await rehearse()).rehearsalsPage],
  [addresses.rehearsal, async () => (await rehearse()).rehearsalPage],
  [addresses.links, async () => (await links()).linksPage],
  [addresses.revokeLink, async () => (await links()).revokeLinkPage],
  [addresses.app, async () => (await app()).appPage],
  [addresses.configuration, async () => (await configuration()).configurationPage],
  [addresses.policy, async () => (await policy()).policyPage],
  [addresses.where, async () => (await import('./where/page.js')).wherePage],
  [addresses.schedule, async () => (await schedule()).schedulePage],
  [addresses.appAutomations, async () => (await automations()).automationsPage],
  [addresses.keys, async () => (await keys()).keysPage],
  [addresses.newKey, async () => (await keys()).newKeyPage],
  [addresses.rotateKey, async () => (await keys()).rotateKeyPage],
  [addresses.revokeKey, async () => (await keys()).revokeKeyPage],
  [addresses.trustRules, async () => (await trust()).trustRulesPage],
  [addresses.newTrustRule, async () => (await trust()).newTrustRulePage],
  [addresses.trustRule, async () => (await trust()).trustRulePage],
  [addresses.deleteTrustRule, async () => (await trust()).deleteTrustRulePage],
  [addresses.connections, async () => (await providers()).connectionsPage],
  [addresses.catalogue, async () => (await providers()).cataloguePage],
  // Before the page of a connection, which would take `authorized` for an id.
  [addresses.authorized, async () => (await providers()).authorizedPage],
  [addresses.connect, async () => (await providers()).connectPage],
  [addresses.connection, async () => (await providers()).connectionPage],
  [addresses.rotateConnection, async () => (await providers()).rotateConnectionPage],
  [addresses.channels, async () => (await providers()).channelsPage],
  [addresses.disconnect, async () => (await providers()).disconnectPage],
  [addresses.people, async () => (await people()).peoplePage],
  [addresses.newPerson, async () => (await people()).newPersonPage],
  [addresses.person, async () => (await people()).personPage],
  [addresses.deactivatePerson, async () => (await people()).deactivatePage],
  [addresses.groups, async () => (await people()).groupsPage],
  [addresses.newGroup, async () => (await people()).newGroupPage],
  [addresses.group, async () => (await people()).groupPage],
  [addresses.deleteGroup, async () => (await people()).deleteGroupPage],
  [addresses.webhooks, async () => (await webhooks()).webhooksPage],
  [addresses.newWebhook, async () => (await webhooks()).newWebhookPage],
  [addresses.webhook, async () => (await webhooks()).webhookPage],
  [addresses.editWebhook, async () => (await webhooks()).editWebhookPage],
  [addresses.rotateWebhook, async () => (await webhooks()).rotateWebhookPage],
  [addresses.deleteWebhook, async () => (await webhooks()).deleteWebhookPage],
  [addresses.recovery, async () => (await webhooks()).recoveryPage],
  [addresses.delivery, async () => (await webhooks()).deliveryPage],
  [addresses.buckets, async () => (await buckets()).bucketsPage],
  [addresses.newBucket, async () => (await buckets()).newBucketPage],
  [addresses.bucket, async () => (await buckets()).bucketPage],
  [addresses.editBucket, async () => (await buckets()).editBucketPage],
  [addresses.testerBuild, async () => (await buckets()).testerBuildPage],
  [addresses.expireTesterBuild, async () => (await buckets()).expireBuildPage],
  [addresses.deleteTesterBuild, async () => (await buckets()).deleteBuildPage],
  [addresses.newInstallLink, async () => (await buckets()).newInstallLinkPage],
  [addresses.installLink, async () => (await buckets()).installLinkPage],
  [addresses.withdrawInstallLink, async () => (await buckets()).withdrawLinkPage],
]

/** Every form of the interface. */
export const forms: readonly Loaded<Form>[] = [
  [addresses.redButton, async () => (await releaseForms()).redButtonForm],
  [addresses.fixApproval, async () => (await releaseForms()).fixApprovalForm],
  [addresses.pair, async () => (await releaseForms()).joinForm],
  [addresses.partPair, async () => (await releaseForms()).partForm],
  [addresses.automations, async () => (await releaseForms()).automationsForm],
  [addresses.rollout, async () => (await releaseForms()).rolloutForm],
  [addresses.storeRollout, async () => (await releaseForms()).storeRolloutForm],
  [addresses.itemStatus, async () => (await releaseForms()).itemStatusForm],
  [addresses.selectedBuild, async () => (await releaseForms()).selectedBuildForm],
  [addresses.regressionStatus, async () => (await releaseForms()).regressionForm],
  [addresses.featureReadiness, async () => (await releaseForms()).featuresForm],
  ...ACT_NAMES.map((act): Loaded<Form> => [
    addresses.act.replace('{act}', act),
    async () => (await releaseForms()).actForms[act],
  ]),
  [addresses.links, async () => (await import('./sharing/forms.js')).newLinkForm],
  [addresses.revokeLink, async () => (await import('./sharing/forms.js')).revokeLinkForm],
  [addresses.newApp, async () => (await newAppForms()).fieldsForm],
  [addresses.newAppFile, async () => (await newAppForms()).fileForm],
  [addresses.newAppCheck, async () => (await newAppForms()).checkForm],
  [addresses.newAppFromFile, async () => (await newAppForms()).textForm],
  [addresses.newRelease, async () => (await import('./app/forms.js')).newReleaseForm],
  [addresses.rehearsals, async () => (await import('./rehearse/forms.js')).rehearseForm],
  [addresses.stopRehearsal, async () => (await import('./rehearse/forms.js')).stopForm],
  [addresses.configurationCheck, async () => (await configurationForms()).checkForm],
  [addresses.configurationPlan, async () => (await configurationForms()).planForm],
  [addresses.configuration, async () => (await configurationForms()).applyForm],
  [addresses.policyPreview, async () => (await policyForms()).previewPolicyForm],
  [addresses.policy, async () => (await policyForms()).policyForm],
  [addresses.cadencePreview, async () => (await scheduleForms()).cadencePreviewForm],
  [addresses.cadence, async () => (await scheduleForms()).cadenceForm],
  [addresses.train, async () => (await trainForms()).trainForm],
  [addresses.targetDates, async () => (await trainForms()).targetDatesForm],
  [addresses.skip, async () => (await trainForms()).skipForm],
  [addresses.unskip, async () => (await trainForms()).unskipForm],
  [addresses.freezes, async () => (await scheduleForms()).freezeForm],
  [addresses.endFreeze, async () => (await scheduleForms()).endFreezeForm],
  [addresses.appPause, async () => (await automationForms()).pauseForm],
  [addresses.appAutomations, async () => (await automationForms()).automationForm],
  [addresses.keys, async () => (await keyForms()).newKeyForm],
  [addresses.rotateKey, async () => (await keyForms()).rotateKeyForm],
  [addresses.revokeKey, async () => (await keyForms()).revokeKeyForm],
  [addresses.trustRules, async () => (await trustForms()).newTrustRuleForm],
  [addresses.trustRule, async () => (await trustForms()).trustRuleForm],
  [addresses.deleteTrustRule, async () => (await trustForms()).deleteTrustRuleForm],
  [addresses.connect, async () => (await providerForms()).connectForm],
  [addresses.authorize, async () => (await providerForms()).authorizeForm],
  [addresses.simulators, async () => (await providerForms()).simulatorsForm],
  [addresses.checkConnection, async () => (await providerForms()).checkForm],
  [addresses.rotateConnection, async () => (await providerForms()).rotateConnectionForm],
  [addresses.reauthorize, async () => (await providerForms()).reauthorizeForm],
  [addresses.disconnect, async () => (await providerForms()).disconnectForm],
  [addresses.callbackSecret, async () => (await providerForms()).callbackSecretForm],
  [addresses.people, async () => (await peopleForms()).newPersonForm],
  [addresses.person, async () => (await peopleForms()).personForm],
  [addresses.signInLink, async () => (await peopleForms()).linkForm],
  [addresses.signPersonOut, async () => (await peopleForms()).signOutForm],
  [addresses.deactivatePerson, async () => (await peopleForms()).deactivateForm],
  [addresses.activatePerson, async () => (await peopleForms()).activateForm],
  [addresses.groups, async () => (await peopleForms()).newGroupForm],
  [addresses.group, async () => (await peopleForms()).groupForm],
  [addresses.deleteGroup, async () => (await peopleForms()).deleteGroupForm],
  [addresses.webhooks, async () => (await webhookForms()).newWebhookForm],
  [addresses.editWebhook, async () => (await webhookForms()).editWebhookForm],
  [addresses.enableWebhook, async () => (await webhookForms()).enableWebhookForm],
  [addresses.rotateWebhook, async () => (await webhookForms()).rotateWebhookForm],
  [addresses.deleteWebhook, async () => (await webhookForms()).deleteWebhookForm],
  [addresses.pingWebhook, async () => (await webhookForms()).pingWebhookForm],
  [addresses.recoverWebhook, async () => (await webhookForms()).recoverWebhookForm],
  [addresses.redeliver, async () => (await webhookForms()).redeliverForm],
  [addresses.buckets, async () => (await bucketForms()).newBucketForm],
  [addresses.editBucket, async () => (await bucketForms()).editBucketForm],
  [addresses.testerBuild, async () => (await bucketForms()).testerBuildForm],
  [addresses.expireTesterBuild, async () => (await bucketForms()).expireBuildForm],
  [addresses.deleteTesterBuild, async () => (await bucketForms()).deleteBuildForm],
  [addresses.installLinks, async () => (await bucketForms()).newInstallLinkForm],
  [addresses.installLink, async () => (await bucketForms()).installLinkForm],
  [addresses.withdrawInstallLink, async () => (await bucketForms()).withdrawLinkForm],
]

/** Addresses that everybody may open, served without the frame of a page. */
const plain: readonly Loaded<(http: HttpContext) => unknown>[] = [
  [addresses.shared, async () => (await import('./sharing/serve_shared.js')).serveShared],
  [
    addresses.reference,
    async () => (await import('./reference/serve_reference.js')).serveReference,
  ],
  ['/assets/:file', async () => (await import('./frame/assets_controller.js')).serveAsset],
  ['/guide', guide],
  ['/guide/*', guide],
]

/** Returns a form as it acts when its token is stale: it does nothing and shows its page again. */
const stale = (form: Form): Form => ({
  ...form,
  request() {
    throw refuse('form_stale', { detail: 'Nothing was done; send it again.' })
  },
})

const loadAdapter = async () => (await import('./frame/adapter.js')).adapter

/** Adds the routes of every page, of every form and of the files that they use. */
export function mountPages(router: Router): void {
  mountSignIn(router)
  for (const [address, load] of pages) {
    pageRoute(router, 'GET', routePattern(address), async () => {
      const [page, adapter] = await Promise.all([load(), loadAdapter()])
      return { handle: (http) => adapter.serve(page, http) }
    })
  }
  for (const [address, load] of forms) {
    pageRoute(router, 'POST', routePattern(address), async () => {
      const [form, adapter] = await Promise.all([load(), loadAdapter()])
      const { isUrgent } = operations.get(form.operation)
      return {
        isUrgent,
        shownAt: ({ request }) => shownAt(form, request.params(), request.body()).address,
        handle: (http) => adapter.submit(form, http),
        sent: (http) => keptOf(http, form.secrets),
        showAgain: (http) => adapter.submit(stale(form), http),
      }
    })
  }
  for (const [address, pageFor] of Object.entries(oldAddresses)) {
    pageRoute(router, 'GET', routePattern(address), async () => {
      const adapter = await loadAdapter()
      return { handle: (http) => adapter.redirectOld(pageFor, http) }
    })
  }
  pageRoute(
    router,
    'GET',
    addresses.notConnected,
    async () => (await import('./providers/not_connected.js')).notConnectedPage
  )
  // After all others, as it matches every other address.
  pageRoute(
    router,
    'GET',
    '/dashboard/*',
    async () => (await import('./frame/not_found_page.js')).notFoundPage
  )
  for (const [address, load] of plain) {
    router
      .get(routePattern(address), async (http: HttpContext) => (await load())(http))
      .as(`page GET ${address}`)
  }
}
