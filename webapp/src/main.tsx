import '@/theme/fonts.css';
import '@/theme/global.css';
import { createRoot } from 'react-dom/client';
import { FirstPage } from '@/app/first-page';
import { keepFocus } from '@/app/focus-keeper';
import { preloadCatalogues, startI18n } from '@/app/i18n';
import { takeInvitationFromAddress } from '@/state/invitation-token';
import { cleanStorage } from '@/state/storage';

cleanStorage();
takeInvitationFromAddress();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
keepFocus();
void startI18n().then(() => {
  createRoot(root).render(<FirstPage />);
  preloadCatalogues();
});
