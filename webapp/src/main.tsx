import '@fontsource-variable/inter';
import '@/theme/global.css';
import { createRoot } from 'react-dom/client';
import { preloadCatalogues, startI18n } from '@/app/i18n';
import { Studio } from '@/app/studio';
import { createStudioRouter } from '@/app/router';
import { cleanStorage } from '@/state/storage';

cleanStorage();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');
void startI18n().then(() => {
  createRoot(root).render(<Studio router={createStudioRouter()} />);
  preloadCatalogues();
});
