import type { GateStage } from './feature-gates.ts';

/** Gates of one stage with the same default, names separated by white space. A locked gate cannot be set to another value. */
export interface GateGroup {
  readonly stage: GateStage;
  readonly enabled: boolean;
  readonly locked: boolean;
  readonly names: string;
}

/** All feature gates of this release of the real server, as its metric lists them. */
export const gateGroups: readonly GateGroup[] = [
  {
    stage: 'ALPHA',
    enabled: false,
    locked: false,
    names: `
      APIServingWithRoutine AllAlpha AllowUnsafeMalformedObjectDeletion CBORServingAndStorage CPUManagerPolicyAlphaOptions CSIVolumeHealth
      ClearingNominatedNodeNameAfterBinding ClientsAllowCBOR ClientsPreferCBOR CloudControllerManagerWebhook ComponentFlagz
      ComponentStatusz ContainerRestartRules ContainerStopSignals CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod
      DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints DRAExtendedResource DRAPartitionableDevices
      DeploymentReplicaSetTerminatingReplicas EnvFiles EventedPLEG HPAConfigurableTolerance HPAScaleToZero HostnameOverride
      InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory InTreePluginPortworxUnregister
      InformerResourceVersion KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletInUserNamespace LoggingAlphaOptions
      MaxUnavailableStatefulSet MemoryQoS NominatedNodeNameForExpectation PodAndContainerStatsFromCRI PodCertificateRequest
      PodLogsQuerySplitStreams PodTopologyLabelsAdmission QOSReserved ReduceDefaultCrashLoopBackOffDecay RelaxedServiceNameValidation
      ResourceHealthStatus RuntimeClassInImageCriApi StorageCapacityScoring StorageVersionAPI StorageVersionMigrator
      StrictIPCIDRValidation TopologyManagerPolicyAlphaOptions UnknownVersionInteroperabilityProxy UserNamespacesPodSecurityStandards
      WindowsCPUAndMemoryAffinity`,
  },
  {
    stage: 'BETA',
    enabled: false,
    locked: false,
    names: `
      AllBeta ClusterTrustBundle ClusterTrustBundleProjection ConcurrentWatchObjectDecode CoordinatedLeaderElection
      DeclarativeValidationTakeover ImageVolume LocalStorageCapacityIsolationFSQuotaMonitoring MutableCSINodeAllocatableCount
      MutatingAdmissionPolicy NodeLogQuery SELinuxMount SchedulerAsyncAPICalls WatchCacheInitializationPostStartHook WatchListClient`,
  },
  {
    stage: 'BETA',
    enabled: true,
    locked: false,
    names: `
      APIResponseCompression APIServerIdentity AllowParsingUserUIDFromCertAuth CPUManagerPolicyBetaOptions ContainerCheckpoint
      ContextualLogging DRAAdminAccess DRAPrioritizedList DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DeclarativeValidation
      DetectCacheInconsistency DisableCPUQuotaWithExclusiveCPUs ExternalServiceAccountTokenSigner GracefulNodeShutdown
      GracefulNodeShutdownBasedOnPodPriority ImageMaximumGCAge InOrderInformers InPlacePodVerticalScaling JobManagedBy
      KubeletFineGrainedAuthz KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet KubeletSeparateDiskGC
      KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot LoggingBetaOptions MatchLabelKeysInPodTopologySpread
      MatchLabelKeysInPodTopologySpreadSelectorMerge OpenAPIEnums PodDeletionCost PodLevelResources PodObservedGenerationTracking
      PodReadyToStartContainersCondition PortForwardWebsockets PreferSameTrafficDistribution PreventStaticPodAPIReferences ProcMountType
      ReloadKubeletServerCertificateFile RemoteRequestHeaderUID RotateKubeletServerCertificate SELinuxChangePolicy
      SELinuxMountReadWriteOncePod SchedulerAsyncPreemption SchedulerPopFromBackoffQ ServiceAccountNodeAudienceRestriction
      SizeBasedListCostEstimate StatefulSetSemanticRevisionComparison StorageVersionHash
      StructuredAuthenticationConfigurationEgressSelector SupplementalGroupsPolicy SystemdWatchdog TokenRequestServiceAccountUIDValidation
      TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation UserNamespacesSupport
      WatchList WindowsGracefulNodeShutdown`,
  },
  {
    stage: 'GA',
    enabled: true,
    locked: false,
    names: `
      DisableAllocatorDualWrite DynamicResourceAllocation ExecProbeTimeout TopologyManagerPolicyOptions VolumeAttributesClass`,
  },
  {
    stage: 'GA',
    enabled: true,
    locked: true,
    names: `
      APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AuthorizeNodeWithSelectors AuthorizeWithSelectors
      BtreeWatchCache CPUManagerPolicyOptions CRDValidationRatcheting CSIMigrationPortworx ComponentSLIs ConsistentListFromCache
      CronJobsScheduledAnnotation CustomResourceFieldSelectors HonorPVReclaimPolicy JobBackoffLimitPerIndex JobPodReplacementPolicy
      JobSuccessPolicy KubeletCgroupDriverFromCRI KubeletTracing LoadBalancerIPMode LogarithmicScaleDown MatchLabelKeysInPodAffinity
      MemoryManager MultiCIDRServiceAllocator NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread NodeSwap OrderedNamespaceDeletion
      PodIndexLabel PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodSchedulingReadiness ProbeHostPodSecurityStandards
      RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation
      ResilientWatchCacheInitialization RetryGenerateName SchedulerQueueingHints SeparateTaintEvictionController ServiceAccountTokenJTI
      ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo ServiceTrafficDistribution
      SidecarContainers SizeMemoryBackedVolumes StatefulSetAutoDeletePVC StreamingCollectionEncodingToJSON
      StreamingCollectionEncodingToProtobuf StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks
      StructuredAuthenticationConfiguration StructuredAuthorizationConfiguration TopologyAwareHints WinDSR WinOverlay`,
  },
  {
    stage: 'DEPRECATED',
    enabled: false,
    locked: false,
    names: `
      AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests AllowOverwriteTerminationGracePeriodSeconds GitRepoVolumeDriver
      InPlacePodVerticalScalingAllocatedStatus KMSv1 KubeletRegistrationGetOnExistsOnly SeparateCacheWatchRPC WindowsHostNetwork`,
  },
  {
    stage: 'DEPRECATED',
    enabled: false,
    locked: true,
    names: `
      AllowServiceLBStatusOnNonLB WatchFromStorageWithoutResourceVersion`,
  },
  {
    stage: 'DEPRECATED',
    enabled: true,
    locked: false,
    names: `
      AggregatedDiscoveryRemoveBetaType DisableNodeKubeProxyVersion KubeletPodResourcesListUseActivePods StorageNamespaceIndex`,
  },
];
