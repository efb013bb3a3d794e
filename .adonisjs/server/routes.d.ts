import '@adonisjs/core/types/http'

type ParamValue = string | number | bigint | boolean

export type ScannedRoutes = {
  ALL: {
    'exportAppConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.exportAppConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'exportAppConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.exportAppConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.createAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'createAppFromConfiguration.alias1': { paramsTuple?: []; params?: {} }
    'v1.createAppFromConfiguration.alias1': { paramsTuple?: []; params?: {} }
    'changeAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.changeAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'changeAppFromConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.changeAppFromConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'deleteAppByConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.deleteAppByConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'deleteAppByConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.deleteAppByConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'addDestinationFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.addDestinationFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getOrganization': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.getOrganization': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'createGroup': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.createGroup': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'updateUserGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.updateUserGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.getGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'updateGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.updateGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'deleteGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.deleteGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'getOrganizationMetrics': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.getOrganizationMetrics': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listApps': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listApps': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getApp': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.getApp': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'uploadAppIcon': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.uploadAppIcon': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getAppIcon': { paramsTuple: [ParamValue]; params: {'fileName': ParamValue} }
    'v1.getAppIcon': { paramsTuple: [ParamValue]; params: {'fileName': ParamValue} }
    'listAppIntegrations': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.listAppIntegrations': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'listReleases': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.listReleases': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createRelease': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createRelease': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.getRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.updateRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'deleteRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.deleteRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'skipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.skipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'unskipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.unskipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'kickOffRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.kickOffRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'completeRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.completeRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.getReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.updateReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listReleaseSteps': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listReleaseSteps': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getReleaseStep': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepId': ParamValue} }
    'v1.getReleaseStep': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepId': ParamValue} }
    'getStepRun': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.getStepRun': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'getStepRunOfConfig': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'stepConfigId': ParamValue,'releaseId': ParamValue} }
    'v1.getStepRunOfConfig': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'stepConfigId': ParamValue,'releaseId': ParamValue} }
    'listTimelineEvents': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listTimelineEvents': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listStepTimelineEvents': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepConfigId': ParamValue} }
    'v1.listStepTimelineEvents': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepConfigId': ParamValue} }
    'whyNotMoving': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.whyNotMoving': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateReleaseRegressionStatus': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.updateReleaseRegressionStatus': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateStepRunRegressionStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.updateStepRunRegressionStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'updateStepRunApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.updateStepRunApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'updateStepTypeApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepType': ParamValue} }
    'v1.updateStepTypeApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepType': ParamValue} }
    'updateStepRunMetadata': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.updateStepRunMetadata': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'createChecklistItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createChecklistItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createApprovalItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createApprovalItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createRegressionItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createRegressionItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'v1.getChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'updateChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'v1.updateChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'listReleaseChecklistItems': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listReleaseChecklistItems': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateChecklistItemStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'v1.updateChecklistItemStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'updateChecklistItemComment': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'v1.updateChecklistItemComment': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'createRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'updateRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.updateRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'deleteRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.deleteRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'listWebhookEndpoints': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEndpoints': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'createWebhookEndpoint': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.createWebhookEndpoint': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.getWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'updateWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.updateWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'deleteWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.deleteWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'pingWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.pingWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'rotateWebhookSecret': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.rotateWebhookSecret': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookStatistics': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.getWebhookStatistics': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'listWebhookDeliveries': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.listWebhookDeliveries': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookDelivery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'v1.getWebhookDelivery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'redeliverWebhook': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'v1.redeliverWebhook': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'recoverWebhooks': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.recoverWebhooks': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookRecovery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'recoveryId': ParamValue} }
    'v1.getWebhookRecovery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'recoveryId': ParamValue} }
    'listWebhookEvents': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEvents': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listWebhookEventTypes': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEventTypes': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getOpenApi': { paramsTuple?: []; params?: {} }
    'v1.getOpenApi': { paramsTuple?: []; params?: {} }
    'getReference': { paramsTuple?: []; params?: {} }
    'v1.getReference': { paramsTuple?: []; params?: {} }
    'getProblem': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'v1.getProblem': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'getLiveness': { paramsTuple?: []; params?: {} }
    'v1.getLiveness': { paramsTuple?: []; params?: {} }
    'getReadiness': { paramsTuple?: []; params?: {} }
    'v1.getReadiness': { paramsTuple?: []; params?: {} }
  }
  GET: {
    'exportAppConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.exportAppConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'exportAppConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.exportAppConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getOrganization': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.getOrganization': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.getGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'getOrganizationMetrics': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.getOrganizationMetrics': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listApps': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listApps': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getApp': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.getApp': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getAppIcon': { paramsTuple: [ParamValue]; params: {'fileName': ParamValue} }
    'v1.getAppIcon': { paramsTuple: [ParamValue]; params: {'fileName': ParamValue} }
    'listAppIntegrations': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.listAppIntegrations': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'listReleases': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.listReleases': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.getRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.getReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listReleaseSteps': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listReleaseSteps': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getReleaseStep': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepId': ParamValue} }
    'v1.getReleaseStep': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepId': ParamValue} }
    'getStepRun': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.getStepRun': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'getStepRunOfConfig': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'stepConfigId': ParamValue,'releaseId': ParamValue} }
    'v1.getStepRunOfConfig': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'stepConfigId': ParamValue,'releaseId': ParamValue} }
    'listTimelineEvents': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listTimelineEvents': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listStepTimelineEvents': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepConfigId': ParamValue} }
    'v1.listStepTimelineEvents': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepConfigId': ParamValue} }
    'whyNotMoving': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.whyNotMoving': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'v1.getChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'listReleaseChecklistItems': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listReleaseChecklistItems': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listWebhookEndpoints': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEndpoints': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.getWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookStatistics': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.getWebhookStatistics': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'listWebhookDeliveries': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.listWebhookDeliveries': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookDelivery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'v1.getWebhookDelivery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'getWebhookRecovery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'recoveryId': ParamValue} }
    'v1.getWebhookRecovery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'recoveryId': ParamValue} }
    'listWebhookEvents': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEvents': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listWebhookEventTypes': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEventTypes': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getOpenApi': { paramsTuple?: []; params?: {} }
    'v1.getOpenApi': { paramsTuple?: []; params?: {} }
    'getReference': { paramsTuple?: []; params?: {} }
    'v1.getReference': { paramsTuple?: []; params?: {} }
    'getProblem': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'v1.getProblem': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'getLiveness': { paramsTuple?: []; params?: {} }
    'v1.getLiveness': { paramsTuple?: []; params?: {} }
    'getReadiness': { paramsTuple?: []; params?: {} }
    'v1.getReadiness': { paramsTuple?: []; params?: {} }
  }
  HEAD: {
    'exportAppConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.exportAppConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'exportAppConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.exportAppConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getOrganization': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.getOrganization': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.getGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'getOrganizationMetrics': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.getOrganizationMetrics': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listApps': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listApps': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getApp': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.getApp': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getAppIcon': { paramsTuple: [ParamValue]; params: {'fileName': ParamValue} }
    'v1.getAppIcon': { paramsTuple: [ParamValue]; params: {'fileName': ParamValue} }
    'listAppIntegrations': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.listAppIntegrations': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'listReleases': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.listReleases': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'getRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.getRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.getReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listReleaseSteps': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listReleaseSteps': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getReleaseStep': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepId': ParamValue} }
    'v1.getReleaseStep': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepId': ParamValue} }
    'getStepRun': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.getStepRun': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'getStepRunOfConfig': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'stepConfigId': ParamValue,'releaseId': ParamValue} }
    'v1.getStepRunOfConfig': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'stepConfigId': ParamValue,'releaseId': ParamValue} }
    'listTimelineEvents': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listTimelineEvents': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listStepTimelineEvents': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepConfigId': ParamValue} }
    'v1.listStepTimelineEvents': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepConfigId': ParamValue} }
    'whyNotMoving': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.whyNotMoving': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'getChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'v1.getChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'listReleaseChecklistItems': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.listReleaseChecklistItems': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'listWebhookEndpoints': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEndpoints': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.getWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookStatistics': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.getWebhookStatistics': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'listWebhookDeliveries': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.listWebhookDeliveries': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'getWebhookDelivery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'v1.getWebhookDelivery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'getWebhookRecovery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'recoveryId': ParamValue} }
    'v1.getWebhookRecovery': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'recoveryId': ParamValue} }
    'listWebhookEvents': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEvents': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'listWebhookEventTypes': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.listWebhookEventTypes': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'getOpenApi': { paramsTuple?: []; params?: {} }
    'v1.getOpenApi': { paramsTuple?: []; params?: {} }
    'getReference': { paramsTuple?: []; params?: {} }
    'v1.getReference': { paramsTuple?: []; params?: {} }
    'getProblem': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'v1.getProblem': { paramsTuple: [ParamValue]; params: {'code': ParamValue} }
    'getLiveness': { paramsTuple?: []; params?: {} }
    'v1.getLiveness': { paramsTuple?: []; params?: {} }
    'getReadiness': { paramsTuple?: []; params?: {} }
    'v1.getReadiness': { paramsTuple?: []; params?: {} }
  }
  POST: {
    'createAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.createAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'createAppFromConfiguration.alias1': { paramsTuple?: []; params?: {} }
    'v1.createAppFromConfiguration.alias1': { paramsTuple?: []; params?: {} }
    'addDestinationFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.addDestinationFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createGroup': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.createGroup': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'uploadAppIcon': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.uploadAppIcon': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createRelease': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createRelease': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createChecklistItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createChecklistItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createApprovalItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createApprovalItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createRegressionItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createRegressionItem': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.createRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'createWebhookEndpoint': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.createWebhookEndpoint': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'pingWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.pingWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'rotateWebhookSecret': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.rotateWebhookSecret': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'redeliverWebhook': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'v1.redeliverWebhook': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue,'deliveryId': ParamValue} }
    'recoverWebhooks': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.recoverWebhooks': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
  }
  PATCH: {
    'changeAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.changeAppFromConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'changeAppFromConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.changeAppFromConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'updateWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.updateWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
  }
  DELETE: {
    'deleteAppByConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.deleteAppByConfiguration': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'deleteAppByConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.deleteAppByConfiguration.alias1': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'deleteGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.deleteGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'deleteRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.deleteRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'deleteRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.deleteRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'deleteWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
    'v1.deleteWebhookEndpoint': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'endpointId': ParamValue} }
  }
  PUT: {
    'updateUserGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'v1.updateUserGroups': { paramsTuple: [ParamValue]; params: {'orgId': ParamValue} }
    'updateGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'v1.updateGroup': { paramsTuple: [ParamValue,ParamValue]; params: {'orgId': ParamValue,'groupId': ParamValue} }
    'updateRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.updateRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'skipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.skipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'unskipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.unskipRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'kickOffRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.kickOffRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'completeRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.completeRelease': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.updateReleaseMetadata': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateReleaseRegressionStatus': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'v1.updateReleaseRegressionStatus': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue} }
    'updateStepRunRegressionStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.updateStepRunRegressionStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'updateStepRunApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.updateStepRunApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'updateStepTypeApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepType': ParamValue} }
    'v1.updateStepTypeApproval': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepType': ParamValue} }
    'updateStepRunMetadata': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'v1.updateStepRunMetadata': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'stepRunId': ParamValue} }
    'updateChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'v1.updateChecklistItem': { paramsTuple: [ParamValue,ParamValue]; params: {'appId': ParamValue,'checklistItemId': ParamValue} }
    'updateChecklistItemStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'v1.updateChecklistItemStatus': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'updateChecklistItemComment': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'v1.updateChecklistItemComment': { paramsTuple: [ParamValue,ParamValue,ParamValue]; params: {'appId': ParamValue,'releaseId': ParamValue,'checklistItemId': ParamValue} }
    'updateRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
    'v1.updateRegressionItems': { paramsTuple: [ParamValue]; params: {'appId': ParamValue} }
  }
}
declare module '@adonisjs/core/types/http' {
  export interface RoutesList extends ScannedRoutes {}
}