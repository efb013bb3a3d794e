import { definePlugin } from '#plugin-kit/plugin'
import { manifest } from './manifest.js'

/**
 * The plugin of a simulated world. Each organization has its own, behind the port like any
 * provider.
 */
export default definePlugin({
  manifest,
  lifecycle: () => import('./lifecycle.js'),
  capabilities: {
    versionControl: () => import('./capabilities/version_control.js'),
    ci: () => import('./capabilities/ci.js'),
    chat: () => import('./capabilities/chat.js'),
    issueTracking: () => import('./capabilities/issue_tracking.js'),
    testManagement: () => import('./capabilities/test_management.js'),
    crashMonitoring: () => import('./capabilities/crash_monitoring.js'),
    productAnalytics: () => import('./capabilities/product_analytics.js'),
    experimentation: () => import('./capabilities/experimentation.js'),
    onCall: () => import('./capabilities/on_call.js'),
    localization: () => import('./capabilities/localization.js'),
  },
})
