import type { TestedKind } from '../../fake/scenario.js'
import { appStore } from './app_store.js'
import { betaTesting } from './beta_testing.js'
import { chat } from './chat.js'
import { ci } from './ci.js'
import { crashMonitoring } from './crash_monitoring.js'
import { experimentation } from './experimentation.js'
import { issueTracking } from './issue_tracking.js'
import { localization } from './localization.js'
import { onCall } from './on_call.js'
import { productAnalytics } from './product_analytics.js'
import type { KindSuite } from './suite.js'
import { testManagement } from './test_management.js'
import { versionControl } from './version_control.js'

/** The suite of each kind. */
export const KIND_SUITES: { readonly [Each in TestedKind]: KindSuite<Each> } = {
  appStore,
  betaTesting,
  chat,
  ci,
  crashMonitoring,
  experimentation,
  issueTracking,
  localization,
  onCall,
  productAnalytics,
  testManagement,
  versionControl,
}
