import type { DashboardAddress } from './address';

export interface DashboardTabProps {
  readonly project: string;
  readonly state: DashboardAddress;
  readonly change: (part: Partial<DashboardAddress>) => void;
  readonly writable: boolean;
}
